import Audience
import CloudKitWire
public import NephosStorage
import Synchronization

/// Recurring hours as stored in records: `{"days":["sat","sun"],"zone":"Europe/Berlin"}` (docs/audiences.md, "Recurrences"). Parsed texts are
/// cached: many records have the same, and each query checks each record.
public enum RecurringHours {
    /// The maximum number of cached texts; above it all are dropped.
    private static let textsMax = 256
    /// The maximum size of a text.
    public static let bytesMax = 1_024

    private static let known = Mutex<[Bytes: Recurrence?]>([:])

    /// Whether a time is within the hours. A text that cannot be parsed has none.
    public static func contain(_ now: Milliseconds, _ text: Bytes) -> Bool {
        guard let recurrence = recurrence(text) else { return false }
        if recurrence.covers(now) { return recurrence.contains(now) }
        let prepared = recurrence.prepared(at: now)
        if prepared.covers(now) { remember(prepared, text) }
        return prepared.contains(now)
    }

    /// When the hours begin or end next; nil for a text that cannot be parsed.
    public static func nextEdge(_ text: Bytes, after now: Milliseconds) -> Milliseconds? {
        recurrence(text)?.nextEdge(after: now)
    }

    /// Why a text is not valid; nil if it is.
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
