import NephosTesting

/// What crashes at the end of a round.
enum Crash: CaseIterable {
    /// The server, by SIGKILL.
    case server
    /// PostgreSQL, by an immediate stop: its processes end immediately, and the next start recovers from the log.
    case database
    /// Both at once.
    case both
}

/// Rounds of work on one store: eight clients save, delete, and create and delete zones in three databases until something crashes,
/// and the data afterwards is compared with what was acknowledged. At the same time the command creates accounts, sessions and
/// tokens, and every other time it is killed, too.
///
/// The moment depends on the number of responses, so each client is in the middle of an operation then.
struct CrashRounds {
    private let server: ServerProcess
    /// The database server, if it can crash, too.
    private let postgres: PostgresServer?
    private let access: Access
    private var crew: Crew
    private var chance = SeededGenerator(seed: Options.seed)
    private(set) var tally = Tally()

    init(_ server: ServerProcess, on postgres: PostgresServer? = nil) throws {
        self.server = server
        self.postgres = postgres
        access = try Access(on: server)
        crew = Crew(access, seed: Options.seed)
    }

    /// One round. Everything runs again after it. - Returns: All faults.
    mutating func play(_ number: Int, endingIn crash: Crash) throws -> [String] {
        let load = Load(target: Int.random(in: 20...150, using: &chance))
        let clerk = Clerk(
            server.command, container: access.container, number: number, mayLoseDatabase: crash != .server)
        let (crewBefore, port) = (crew, server.port)
        let office = Job { clerk.work() }
        let shift = Job { crewBefore.work(load, port: port, stopsWhenEnough: false) }
        load.waitForTarget()
        try strike(crash, load)
        clerk.stop(killing: chance.once(in: 2))
        office.finish()
        // Restart only now: clients that get responses again would continue to work.
        let work = shift.finish()
        try recover(from: crash)
        let audit = work.crew.audit(port: port)
        crew = audit.crew
        tally += audit.tally
        return try work.faults + audit.faults + clerk.faults(port: port, apiToken: access.apiToken)
    }

    private func strike(_ crash: Crash, _ load: Load) throws {
        let dying = crash == .server ? nil : postgres
        let stop = Job { Result { _ = try dying?.stop(mode: "immediate") } }
        // When one client notices the crash of PostgreSQL, the others are in the middle of an operation.
        if crash == .both { load.waitForLoss() }
        if crash != .database { try server.kill() }
        try stop.finish().get()
    }

    private func recover(from crash: Crash) throws {
        if crash != .server { try postgres?.start() }
        if crash != .database { return try server.start() }
        guard Deadline().waits(until: { server.answers }) else {
            let log = server.logText.suffix(2_000)
            throw WrongAnswer(description: "the server does not find its database again: \(log)")
        }
    }
}
