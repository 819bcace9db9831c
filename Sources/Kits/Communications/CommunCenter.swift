/// The messages of an app: which one to show, and what becomes of it.
///
///     let center = CommunCenter(getter: getter, actions: actions)
///     if let commun = try await center.current() { … show it, and call shown, press or dismiss … }
public actor CommunCenter {
    /// Where messages come from: another one in tests and previews.
    public nonisolated let getter: any CommunGetter
    /// What the app can do.
    public nonisolated let actions: CommunActions
    public nonisolated let memory: CommunMemory
    /// Whom messages are for from now on.
    public var question: CommunQuestion
    private let defaultLanguage: String

    /// Messages that were seen already and are passed over by one call of ``current()``.
    private static let passedMax = 20

    /// - Parameters:
    ///   - question: Whom messages are for. Where it names no installation, the memory's is meant.
    ///   - defaultLanguage: Where a message lacks the language of who reads it.
    public init(
        getter: any CommunGetter, actions: CommunActions, memory: CommunMemory = CommunMemory(),
        question: CommunQuestion = CommunQuestion(), defaultLanguage: String = "en"
    ) {
        (self.getter, self.actions, self.memory) = (getter, actions, memory)
        (self.question, self.defaultLanguage) = (question, defaultLanguage)
    }

    public func set(_ question: CommunQuestion) { self.question = question }

    /// The message to show now, in the language of who reads it; nil where there is none, they have seen it, or it asks for something that
    /// this app cannot do. What was not told yet is told before.
    ///
    /// - Throws: Why that is not known. An app shows nothing then, and asks again when it comes to the front.
    public func current() async throws(CommunFault) -> CommunPresentation? {
        await deliver()
        var passed: Set<String> = []
        while let commun = try await getter.getCommunication(asked), passed.count < Self.passedMax {
            guard memory.hasSeen(commun) else {
                guard actions.has(commun.action) else { return nil }
                return CommunPresentation(
                    commun, locale: question.audience.locale, defaultLanguage: defaultLanguage)
            }
            // It was seen here, and the server does not know: once it does, it has the next.
            guard getter.keepsSeen, passed.insert(commun.id).inserted else { return nil }
            memory.note(report(commun.id, commun.round, .shown))
            guard await deliver() else { return nil }
        }
        return nil
    }

    /// To be called when somebody sees it: from then on they see it no more, here or elsewhere.
    public func shown(_ commun: CommunPresentation) async {
        memory.note(report(commun.id, commun.round, .shown))
        await deliver()
    }

    /// Does what a button asks for, and tells that it was pressed.
    public func press(_ button: CommunButton, of commun: CommunPresentation) async {
        memory.note(report(commun.id, commun.round, button.event, button.role))
        // Whoever pressed it does not wait for the network.
        if let action = button.action { await actions.carryOut(action) }
        await deliver()
    }

    /// Tells that somebody took it away without a button, such as by Escape.
    public func dismiss(_ commun: CommunPresentation) async {
        memory.note(report(commun.id, commun.round, .dismissed))
        await deliver()
    }

    private var asked: CommunQuestion {
        var question = question
        question.audience.installation = device
        return question
    }

    private var device: String { question.audience.installation ?? memory.installation }

    private func report(
        _ id: String, _ round: Int, _ event: CommunReport.Event, _ button: CommunButton.Role? = nil
    ) -> CommunReport {
        CommunReport(id, event, button: button, device: device, round: round)
    }

    /// Tells what was not told yet, in its order.
    ///
    /// - Returns: Whether all of it arrived. What a server refuses for good is not told again.
    @discardableResult
    private func deliver() async -> Bool {
        for report in memory.reports {
            do throws(CommunFault) { try await getter.tell(report) } catch {
                guard error.isFinal else { return false }
            }
            memory.forget(report)
        }
        return true
    }
}
