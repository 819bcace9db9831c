import NephosTesting

/// Eight writers of two users, working on one server.
struct Crew: Sendable {
    static let size = 8

    let access: Access
    private(set) var writers: [Writer]

    init(_ access: Access, seed: UInt64) {
        self.access = access
        writers = (0..<Crew.size).map { Writer(number: $0, seed: seed) }
    }

    private func wire(of writer: Writer, port: Int) -> Wire {
        Wire(access.client(port: port, person: writer.number % 2))
    }

    /// Makes everybody work until the load is complete, or they get no response, or one that turns them away.
    ///
    /// - Parameter stopsWhenEnough: False keeps them working until the server or its database is gone.
    /// - Returns: The crew in its resulting state, and unexpected responses.
    func work(_ load: Load, port: Int, stopsWhenEnough: Bool) -> (crew: Crew, faults: [String]) {
        let results = Job.each(writers) { writer in
            var writer = writer
            let wire = wire(of: writer, port: port)
            do {
                while !(stopsWhenEnough && load.isEnough) {
                    try writer.step(wire)
                    load.acknowledged()
                }
                return (writer, String?.none)
            } catch let fault as WrongAnswer {
                load.gaveUp()
                return (writer, "writer \(writer.number): \(fault)")
            } catch {
                let wasEarly = !load.isEnough
                load.gaveUp()
                return (writer, wasEarly ? "writer \(writer.number) lost its server early: \(error)" : nil)
            }
        }
        var crew = self
        crew.writers = results.map(\.0)
        return (crew, results.compactMap(\.1))
    }

    /// Compares the contents of the server with the expected state for a crash at `time`.
    ///
    /// - Returns: The crew, updated to the actual data; its statistics; all faults.
    func audit(port: Int, at time: UInt64 = .max) -> (crew: Crew, tally: Tally, faults: [String]) {
        let results = Job.each(writers) { writer in
            let (faults, actual) = Audit(wire: wire(of: writer, port: port)).faults(of: writer, at: time)
            var writer = writer
            var tally = Tally()
            if let actual {
                tally = writer.journal.tally(actual, at: time)
                writer.settle(on: actual)
            }
            return (writer, tally, faults)
        }
        var crew = self
        crew.writers = results.map(\.0)
        return (crew, results.reduce(into: Tally()) { $0 += $1.1 }, results.flatMap(\.2))
    }
}
