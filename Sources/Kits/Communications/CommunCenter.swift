/// The messages of an app: selects the one to show and reports what the user does with it.
///
///     let center = CommunCenter(getter: getter, actions: actions)
///     if let commun = try await center.current() { … show it, and call shown, press or dismiss … }
public actor CommunCenter {
    /// The source of messages. Tests and previews use another one.
    public nonisolated let getter: any CommunGetter
    /// The actions that the app can perform.
    public nonisolated let actions: CommunActions
    public nonisolated let memory: CommunMemory
    /// The audience that messages are requested for.
    public var question: CommunQuestion
    private let defaultLanguage: String

    /// Maximum number of already seen messages that one call of ``current()`` skips.
    private static let passedMax = 20

    /// - Parameters:
    ///   - question: The audience of messages. If it names no installation, the installation of `memory` is used.
    ///   - defaultLanguage: The language to use if a message lacks the user's language.
    public init(
        getter: any CommunGetter, actions: CommunActions, memory: CommunMemory = CommunMemory(),
        question: CommunQuestion = CommunQuestion(), defaultLanguage: String = "en"
    ) {
        (self.getter, self.actions, self.memory) = (getter, actions, memory)
        (self.question, self.defaultLanguage) = (question, defaultLanguage)
    }

    public func set(_ question: CommunQuestion) { self.question = question }

    /// Returns the message to show now, in the user's language; nil if there is no message, the user has seen it, or it requires an
    /// action that this app does not implement. Sends pending reports first.
    ///
    /// - Throws: The reason why the message could not be determined. An app then shows nothing and tries again when it comes to the
    ///   foreground.
    public func current() async throws(CommunFault) -> CommunPresentation? {
        await deliver()
        var passed: Set<String> = []
        while let commun = try await getter.getCommunication(asked), passed.count < Self.passedMax {
            guard memory.hasSeen(commun) else {
                guard actions.has(commun.action) else { return nil }
                return CommunPresentation(
                    commun, locale: question.audience.locale, defaultLanguage: defaultLanguage)
            }
            // It was seen on this device, but the server does not know that yet; once it does, it returns the next message.
            guard getter.keepsSeen, passed.insert(commun.id).inserted else { return nil }
            memory.note(report(commun.id, commun.round, .shown))
            guard await deliver() else { return nil }
        }
        return nil
    }

    /// Call this when the user sees the message. It is not shown again, on this or any other device of this user.
    public func shown(_ commun: CommunPresentation) async {
        memory.note(report(commun.id, commun.round, .shown))
        await deliver()
    }

    /// Performs the action of a button and reports that it was pressed.
    public func press(_ button: CommunButton, of commun: CommunPresentation) async {
        memory.note(report(commun.id, commun.round, button.event, button.role))
        // The user does not wait for the network.
        if let action = button.action { await actions.carryOut(action) }
        await deliver()
    }

    /// Reports that the user dismissed the message without a button, for example with Escape.
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

    /// Sends pending reports in order.
    ///
    /// - Returns: Whether all of them arrived. Reports that the server rejects permanently are not sent again.
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
