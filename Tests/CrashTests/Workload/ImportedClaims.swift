import NephosTesting
import Testing

/// Records in two databases with unique identifiers, before and while constraints on these are imported; and users who change them
/// between imports that die.
struct ImportedClaims {
    /// The progress of an import.
    enum Death { case before, within, after }

    private static let zones = [nil, Wire.sharedZone]
    private static let ofZone = 550

    private let access: Access
    private var chance = SeededGenerator(seed: Options.seed)
    private var count = 0
    /// The identifier of each record, by zone.
    private var identifiers: [String?: [String: String]] = [:]
    /// Identifiers used earlier and now free.
    private var free: [String?: [String]] = [:]

    init(_ access: Access, on server: ServerProcess) throws {
        self.access = access
        try ClaimedRecords.declareType(in: access.container, by: server.command)
        let wire = Wire(access.client(port: server.port, person: 0))
        for zone in Self.zones {
            let names = (0..<Self.ofZone).map { "r\($0)" }
            for start in stride(from: 0, to: names.count, by: 200) {
                let operations = names[start..<min(start + 200, names.count)].map {
                    ClaimedRecords.operation($0, "of \($0)")
                }
                try wire.modify(operations, zone == nil ? .public : .private, zone: zone)
            }
            identifiers[zone] = Dictionary(uniqueKeysWithValues: names.map { ($0, "of \($0)") })
        }
    }

    /// Starts an import of settings, lets `body` end it, and waits.
    func runImport(
        of text: String, _ command: NephosCommand, _ body: (ChildProcess) -> Void = { _ in }
    ) throws -> ProcessEnd {
        let file = try ClaimedRecords.SettingsFile(text)
        let child = try command.start(
            ["settings", "import", access.container, file.path, "--yes"], output: file.path + ".output",
            errors: file.path + ".errors")
        body(child)
        let end = child.wait()
        let errors = String(decoding: try readFile(file.path + ".errors"), as: UTF8.self)
        if case .exited(let status) = end, status != 0 { throw WrongAnswer(description: "an import: \(errors)") }
        return end
    }

    /// Checks the state after an import that may have died: free identifiers are not rejected, and the check reports what is
    /// incomplete. Then changes some records.
    mutating func expect(after what: String, _ server: ServerProcess) throws -> Death {
        let holds = try server.command("settings", "export", access.container).contains("unique")
        let check = try server.command.run(["check"])
        let isWhole = check.status == 0
        let others = check.output.split(separator: "\n").filter {
            !$0.contains("import the settings again") && $0.contains("claim")
        }
        #expect(isWhole || holds && others.isEmpty, "\(what): \(check.output)\(check.errors)")
        for zone in Self.zones {
            let client = access.client(port: server.port, person: 0)
            for _ in 1...5 { try exchange(in: zone, what, client) }
            guard isWhole, holds, let taken = identifiers[zone]?.sorted(by: { $0.key < $1.key }).first else { continue }
            let isRefused = try !ClaimedRecords.save("rival", taken.value, zone: zone, client)
            #expect(isRefused, "\(what): a rival of \(taken.key) is not refused in \(zone ?? "public")")
        }
        return isWhole ? holds ? .after : .before : .within
    }

    /// One gets a new identifier, another gets the previous one of the first; a third is deleted, and a fourth gets a free one. All
    /// of them are saved again unchanged.
    private mutating func exchange(in zone: String?, _ what: String, _ client: CloudKitClient) throws {
        let all = identifiers[zone] ?? [:]
        let names = all.keys.sorted().shuffled(using: &chance)
        let (one, other, gone, heir) = (names[0], names[1], names[2], names[3])
        count += 1
        var changes = [(one, "new \(count)"), (other, all[one]), (gone, nil)]
        if let free = free[zone]?.randomElement(using: &chance) { changes.append((heir, free)) }
        for (name, identifier) in changes {
            try save(name, identifier, in: zone, what, client)
            if let old = all[name], name != one { free[zone, default: []].append(old) }
            free[zone]?.removeAll { $0 == identifier }
        }
        for name in [one, other, heir] { try save(name, identifiers[zone]?[name], in: zone, what, client) }
    }

    private mutating func save(
        _ name: String, _ identifier: String?, in zone: String?, _ what: String, _ client: CloudKitClient
    ) throws {
        let isSaved = try ClaimedRecords.save(name, identifier, zone: zone, client)
        #expect(isSaved, "\(what): \(name) is refused \(identifier ?? "nothing") in \(zone ?? "public")")
        identifiers[zone]?[name] = identifier
    }

    /// Imports the constraints, which all existing records satisfy.
    mutating func finish(_ server: ServerProcess, _ what: String) throws {
        #expect(try runImport(of: ClaimedRecords.settings, server.command) == .exited(0), "\(what)")
        let death = try expect(after: "\(what), finished", server)
        #expect(death == .after, "\(what)")
        for zone in Self.zones {
            let taken = (identifiers[zone] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
            let answer = try access.client(port: server.port, person: 0).post(
                "records/modify", zone == nil ? .public : .private,
                [
                    "operations": .array(
                        taken.shuffled(using: &chance).prefix(200).enumerated().map {
                            ClaimedRecords.operation("rival \($0)", $1)
                        }), "zoneID": zone.map { ["zoneName": .string($0)] } ?? .absent, "atomic": false,
                ]
            ).json
            let refused = answer["records"].elements.count { $0["serverErrorCode"] == "BAD_REQUEST" }
            #expect(refused == 200, "\(what): \(refused) of 200 rivals are refused in \(zone ?? "public")")
        }
        try expectClean(server.command, what)
    }
}
