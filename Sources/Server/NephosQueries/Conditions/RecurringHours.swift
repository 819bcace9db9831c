import Audience
import CloudKitWire
public import NephosStorage
import Synchronization

/// Hours that come again, as records hold them: `{"days":["sat","sun"],"zone":"Europe/Berlin"}` (docs/audiences.md, "Recurrences"). What was read
/// once is remembered: many records say the same, and each query asks each.
public enum RecurringHours {
    /// Texts that are remembered; past this many all are forgotten.
    private static let textsMax = 256
    /// Of a text.
    public static let bytesMax = 1_024

    private static let known = Mutex<[Bytes: Recurrence?]>([:])

    /// Whether a moment lies in them. A text that cannot be read has none.
    public static func contain(_ now: Milliseconds, _ text: Bytes) -> Bool {
        guard let recurrence = recurrence(text) else { return false }
        if recurrence.covers(now) { return recurrence.contains(now) }
        let prepared = recurrence.prepared(at: now)
        if prepared.covers(now) { remember(prepared, text) }
        return prepared.contains(now)
    }

    /// When they begin or end next; nil for a text that cannot be read.
    public static func nextEdge(_ text: Bytes, after now: Milliseconds) -> Milliseconds? {
        recurrence(text)?.nextEdge(after: now)
    }

    /// What is wrong with a text; nil for nothing.
    public static func flaw(_ text: Bytes) -> String? {
        guard text.count <= bytesMax else { return "it has more than \(bytesMax) bytes" }
        do throws(WireError) {
            _ = try read(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func recurrence(_ text: Bytes) -> Recurrence? {
        if let found = known.withLock({ $0[text] }) { return found }
        let read: Recurrence?
        do throws(WireError) { read = text.count <= bytesMax ? try self.read(text) : nil } catch { read = nil }
        remember(read, text)
        return read
    }

    private static func remember(_ recurrence: Recurrence?, _ text: Bytes) {
        known.withLock { known in
            if known.count >= textsMax { known = [:] }
            known[Array(text)[...]] = .some(recurrence)
        }
    }

    private static func read(_ text: Bytes) throws(WireError) -> Recurrence {
        var json = try JSONReader(text)
        let recurrence = try Recurrence(&json)
        try json.finish()
        return recurrence
    }
}
