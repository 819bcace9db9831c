import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// An estimate of the clients that messages reach, from what apps have reported (docs/clients.md).
struct MessageReach {
    /// The number of clients that have reported.
    private(set) var total = 0
    /// The newest version that any client has; nil if none has reported one.
    private(set) var newest: Version?
    /// The number of clients for each audience that depends only on reported properties, by the audience's text in messages.
    private var counts: [String: Int] = [:]
    private let isCounted: Bool
    /// Whether any audience needs properties that clients do not report.
    private let asksForMore: Bool

    init(
        _ messages: [Message], _ audiences: AudienceBook, _ administration: Administration, _ store: any TenantStore,
        now: Milliseconds
    ) throws(AdminError) {
        let book = audiences.prepared(at: now)
        var conditions: [(text: String, condition: Condition)] = []
        var asksForMore = false
        for text in Set(messages.map(\.audience)) where text != Message.everybody {
            guard let condition = Self.condition(text), book.missingAudience(of: condition) == nil else { continue }
            if book.isReported(condition) {
                conditions.append((text, condition.prepared(at: now)))
            } else {
                asksForMore = true
            }
        }
        self.asksForMore = asksForMore
        counts = Dictionary(uniqueKeysWithValues: conditions.map { ($0.text, 0) })
        var (total, newest, found): (Int, Version?, [String: Int]) = (0, nil, counts)
        isCounted = try administration.forEachClient(of: store, now: now) { client in
            total += 1
            newest = [newest, client.appVersion].compactMap(\.self).max()
            for (text, condition) in conditions where book.verdict(of: condition, for: client) == .yes {
                found[text, default: 0] += 1
            }
        }
        (self.total, self.newest, counts) = (total, newest, found)
    }

    private static func condition(_ text: String) -> Condition? {
        // An unreadable audience is reported as a flaw of its message.
        do throws(WireError) { return try AudienceText.condition(Bytes(text.utf8)) } catch { return nil }
    }

    /// Whether no client that has reported is in its audience.
    func isEmptyAudience(of message: Message) -> Bool { total > 0 && counts[message.audience] == 0 }

    /// What is not known; nil for nothing.
    var doubt: String? {
        if !isCounted {
            return
                "The reach of messages is not known: set report: true under clients in the settings (docs/clients.md)."
        }
        if total == 0 { return "The reach of messages is not known: no client has reported yet." }
        return asksForMore
            ? "The reach of some messages is not known: their audiences ask for what clients do not report." : nil
    }
}

extension AudienceBook {
    /// Whether clients report all properties that a condition needs.
    fileprivate func isReported(_ condition: Condition) -> Bool {
        !condition.asks { part in
            switch part {
            case .all, .any, .not, .locale, .platform, .country, .system, .app, .from, .until, .every: false
            // Named audiences contain no cycles.
            case .audience(let name): self[name].map { !isReported($0) } ?? true
            case .device, .day, .signedIn, .role, .person, .fact, .claim, .percent, .flag, .newer: true
            }
        }
    }
}
