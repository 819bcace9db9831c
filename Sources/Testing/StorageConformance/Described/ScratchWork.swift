import CloudKitWire
import NephosStorage

/// Four writers of described rows, with records in the same commits, for tests of durability (docs/decisions/0020): the expected
/// state after a step is determined by the number of the step (``ScratchHand``).
///
/// ```swift
/// let work = try await ScratchWork { try store.open(tables: TableCase.tables) }
/// try await work.go(on: 0, steps: 9) { print($0) }
/// ```
package struct ScratchWork: Sendable {
    /// Two in the private database of each of two users.
    package static let hands = 4

    /// The known minimum state of one hand.
    package struct Known: Sendable {
        /// The last step that is certainly stored, in the tenant and in the directory.
        fileprivate var rows: Int64 = 0
        fileprivate var shelf: Int64 = 0

        package init() {}

        /// Records an acknowledged step, which must be stored completely.
        package mutating func acknowledge(_ step: Int64) { (rows, shelf) = (max(rows, step), max(shelf, step)) }
    }

    private let tenant: TestTenant
    let hands: [ScratchHand]

    /// Continues with the existing state, or creates the container and the users.
    ///
    /// - Parameter open: Opens an engine that knows ``TableCase/tables``.
    package init(_ open: @escaping EngineOpening) async throws {
        let tenant = try TestTenant(open)
        do { try await self.init(tenant) } catch {
            tenant.closeAll()
            throw error
        }
    }

    init(_ tenant: TestTenant) async throws {
        self.tenant = tenant
        let people = [try await tenant.person(1), try await tenant.person(2)]
        hands = (0..<Self.hands).map { ScratchHand(number: UInt8($0), database: people[$0 % people.count]) }
    }

    package func close() { tenant.closeAll() }

    /// Executes this many steps, one after the other. - Parameter acknowledged: Called with each stored step.
    package func go(on hand: Int, steps: Int, acknowledged: (Int64) throws -> Void) async throws {
        let first = try hands[hand].step() + 1
        for step in first..<first + Int64(steps) {
            try await hands[hand].write(step)
            try acknowledged(step)
        }
    }

    /// All faults of the stored state: lost steps, partially stored steps, secrets that cannot be opened or are stored in plain
    /// text, and findings of the engine's own check.
    ///
    /// - Parameter known: The known state of each hand; afterwards it includes steps that were stored without an acknowledgment.
    package func faults(_ known: inout [Known]) throws -> [String] {
        var faults: [String] = []
        for hand in hands {
            faults += try hand.faults(&known[Int(hand.number)]).map { "hand \(hand.number): \($0)" }
        }
        let findings = try tenant.store.check { _, _ in } + tenant.engine.checkDirectory()
        return faults + findings.map { "check: \($0)" }
    }
}

extension ScratchHand {
    fileprivate func faults(_ known: inout ScratchWork.Known) throws -> [String] {
        let (found, shelf) = (try state(), try shelf())
        let steps = (rows: found.step, shelf: shelf?.step ?? 0)
        var faults: [String] = []
        if steps.rows < known.rows || steps.rows > known.rows + 1 {
            faults.append("step \(steps.rows) is there, and \(known.rows) was acknowledged")
        }
        if steps.shelf < known.shelf || steps.shelf > steps.rows {
            faults.append("the shelf has step \(steps.shelf), although \(known.shelf) was acknowledged")
        }
        if found != state(after: steps.rows) { faults.append("step \(steps.rows) is stored partially: \(found)") }
        if let shelf, shelf != self.shelf(after: steps.shelf) { faults.append("a shelf is wrong: \(shelf)") }
        let isSealed = found.rows.allSatisfy(\.secret.isSealed) && shelf?.secret.isSealed != false
        if !isSealed { faults.append("a secret is stored in plain text") }
        (known.rows, known.shelf) = steps
        return faults
    }
}
