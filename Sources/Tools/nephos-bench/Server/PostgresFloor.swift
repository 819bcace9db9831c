#if Postgres
    import CloudKitWire
    import Dispatch
    import NephosPostgres
    import NephosStorage
    import NephosTesting
    import TestEngines
    import Synchronization

    /// The cost of saves on PostgreSQL: the engine alone, in this process and one after the other, compared with the same
    /// statements replayed on another database by libpq alone.
    struct PostgresFloor {
        /// One kind of work; mean values per commit.
        struct Cost {
            var microseconds: Double
            /// Processor time of this process, and of all processes of PostgreSQL.
            var clientCPU, serverCPU: Double
        }

        struct Comparison {
            var rows: Int
            var engine, floor: Cost
            var roundTrips: Double
        }

        private let server: PostgresServer

        init() throws { server = try PostgresServer() }

        /// Saves `commits` times `rows` new records of 800 bytes.
        func compare(rows: Int, commits: Int) throws -> Comparison {
            let recording = CallRecording()
            var options = PostgresOptions()
            options.recording = recording
            options.secretKeys = .ofTests
            let engine = try PostgresEngine(ConnectionTarget(url: try server.createDatabase()), options: options)
            let twin = try server.createDatabase()
            let twinEngine = try PostgresEngine(ConnectionTarget(url: twin), options: options)
            for engine in [engine, twinEngine] { try Self.seed(engine) }
            twinEngine.close()
            guard let store = try engine.open(Self.tenant) else { throw Wrk.Failure(description: "no tenant") }
            recording.forget()
            let engineCost = try cost(commits) {
                for commit in 0..<commits { try Self.save(rows, from: commit * rows, in: store) }
            }
            let trips = Double(recording.roundTrips) / Double(commits)
            let replay = try recording.replay(on: try ConnectionTarget(url: twin))
            let floorCost = try cost(commits) { try replay.run() }
            // Keeps its session open until its processor time was read.
            withExtendedLifetime(replay) {}
            engine.close()
            return Comparison(rows: rows, engine: engineCost, floor: floorCost, roundTrips: trips)
        }

        private func cost(_ commits: Int, _ work: () throws -> Void) throws -> Cost {
            let (start, cpu, theirs) = (ContinuousClock.now, CPUTime.seconds(), try server.cpuNanoseconds)
            try work()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let count = Double(commits)
            return Cost(
                microseconds: seconds * 1e6 / count, clientCPU: (CPUTime.seconds() - cpu) * 1e6 / count,
                serverCPU: Double(try server.cpuNanoseconds - theirs) / 1e3 / count)
        }

        // MARK: Work

        private static let tenant = Tenant(container: "iCloud.test.floor", environment: .development)
        private static let user = UserID(high: 1, low: 2)
        private static let fields = Array(
            "{\"text\":{\"type\":\"STRING\",\"value\":\"\(String(repeating: "x", count: 750))\"}}".utf8)

        private static func seed(_ engine: PostgresEngine) throws {
            let head = CatalogHead(tenant: tenant, signingKey: Array(repeating: 7, count: 32), createdAt: 1)
            try engine.createContainer(
                ContainerRow(id: tenant.container, createdAt: 1), seeds: [TenantSeed(head: head, rows: [])])
        }

        private static func save(_ count: Int, from start: Int, in store: any TenantStore) throws {
            let names = (start..<(start + count)).map { Name("record \($0)") }
            let zone = ZoneKey.name(1, defaultZoneName)
            var set = ReadSet()
            set.databases = [1]
            set.zones = [zone]
            set.records = names.map { RecordKey(zone: zone, name: $0) }
            let done = DispatchSemaphore(value: 0)
            let failure = Mutex<(any Error)?>(nil)
            store.commit(set) { reading in
                .write(try writes(names, reading), ())
            } completion: { result in
                if case .failure(let error) = result { failure.withLock { $0 = error } }
                done.signal()
            }
            done.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }

        private static func writes(_ names: [Name], _ reading: Reading) throws -> WriteSet {
            guard var head = reading.databases[0], let zone = reading.zones[0] else {
                throw Wrk.Failure(description: "the public database does not exist")
            }
            var writes = WriteSet()
            for name in names {
                head.sequence += 1
                head.recordNumber += 1
                let row = RecordRow(
                    database: 1, number: head.recordNumber, zone: zone.number, name: name, sequence: head.sequence,
                    tagSequence: head.sequence, type: 1, createdAt: 1, createdBy: user, modifiedAt: 1,
                    modifiedBy: user, fields: fields[...])
                writes.records.append(RecordWrite(old: nil, new: row, references: nil))
            }
            var moved = zone
            moved.changedSequence = head.sequence
            writes.zones = [ZoneWrite(old: zone, new: moved)]
            writes.heads = [head]
            return writes
        }
    }
#endif
