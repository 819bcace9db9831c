import CloudKitWire
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let push = UseCaseGroup(
        "push", abstract: "Configure Apple's push service and show what was sent.",
        [UseCase.configurePush, UseCase.pushLog])
}

extension UseCase {
    fileprivate static let configurePush = UseCase(
        "push configure", .changes, abstract: "Configure Apple's push service for a container.",
        discussion: """
            Pass a key for push notifications from Apple's developer site (a .p8 file), its id, the id of your team, and \
            the bundle id of the app. Devices that registered for the environment "development" are reached over the \
            sandbox, which has its own configuration: pass --sandbox to set it.

            Example:

              nephos push configure iCloud.com.example.app --team 8XC6W5A4KL \\
                --key-id ABC123DEFG --key AuthKey_ABC123DEFG.p8 --topic com.example.app
            """,
        .tenant, Input<String>.option("team", help: "The id of the team, 10 letters and digits."),
        Input<String>.option("key-id", help: "The id of the key, 10 letters and digits."),
        Input<InputFile>.option("key", valueName: "file", help: "The private key."),
        Input<String>.option("topic", help: "The app's bundle id."),
        .flag("sandbox", help: "For devices that registered for the environment \"development\".")
    ) { call, tenant, team, keyID, file, topic, isSandbox in
        let administration = try call.administration
        let pem = String(decoding: try call.secret(in: file), as: UTF8.self)
        do throws(APNsKeyError) { _ = try APNsKey(pem: pem, teamID: team, keyID: keyID) } catch {
            if [.invalidTeamID, .invalidKeyID].contains(error) { throw Failure("\(error)") }
            throw Failure("\(file.path) is not a .p8 key file. \(error)")
        }
        try await administration.configurePush(
            in: tenant, team: team, keyID: keyID, pem: pem, topic: topic, isSandbox: isSandbox)
        return .note("\(tenant) sends to \(isSandbox ? "the sandbox of " : "")Apple's push service for \(topic).")
    }

    fileprivate static let pushLog = UseCase(
        "push log", .reads, abstract: "Print notifications that were sent, and their outcomes.",
        discussion: """
            A line has the time, the user, the device, the subscription, and the answer of the receiver, but no content. \
            It can stand for several changes, because notifications that wait to be sent are merged.

            With --follow, --output json prints one object per line.

            Examples:

              nephos push log iCloud.com.example.app
              nephos push log iCloud.com.example.app --user mary@example.org --follow
            """,
        .tenant,
        Input<String?>.option(
            "user", help: "Only notifications of this person or key: an address, or the name of a user record."),
        .lines(default: 50, help: "The maximum number of lines to begin with."),
        .flag("follow", help: "Continue with new lines until interrupted."), Input<Output>.output
    ) { call, tenant, user, limit, isFollowing, output in
        let administration = try call.administration
        let rows = try administration.pushLog(of: tenant, user: user, limit: limit)
        guard isFollowing else {
            return output.answer(
                PushLogRow.heading, rows.map(\.cells), whenEmpty: "The push log is empty."
            ) { json in for row in rows { row.write(to: &json) } }
        }
        let table = UseCaseAnswer.table(PushLogRow.heading, rows.map(\.cells))
        if !rows.isEmpty { try call.show(output == .json ? .bytes(rows.flatMap(\.jsonLine)) : table) }
        let id = try user.map { try administration.userID(named: $0, in: tenant) }
        try await follow(rows, of: tenant, user: id, administration, call) { row in
            output == .json ? .bytes(row.jsonLine) : .text(row.cells.joined(separator: "  "))
        }
        return .nothing
    }

    /// Rows written together need not become visible together, so each read overlaps with the previous one.
    private static func follow(
        _ rows: [PushLogRow], of tenant: Tenant, user: UserID?, _ administration: Administration,
        _ call: any UseCaseCall, shown: (PushLogRow) -> UseCaseAnswer
    ) async throws {
        let overlap: Milliseconds = 10_000
        var seen = Set(rows.map { [$0.at, $0.nonce] })
        var last = rows.last?.at ?? call.now()
        while true {
            let found = try administration.pushLog(of: tenant, since: last - overlap, limit: 10_000)
            for row in found where user == nil || row.user == user {
                guard seen.insert([row.at, row.nonce]).inserted else { continue }
                try call.show(shown(row))
            }
            last = max(last, found.last?.at ?? last)
            seen = seen.filter { $0[0] >= last - overlap }
            try await Task.sleep(for: .seconds(1))
        }
    }
}

extension PushLogRow {
    fileprivate static let heading = [
        "time", "user", "channel", "device", "database", "subscription", "outcome", "changes", "try", "ms", "answer",
    ]

    fileprivate var cells: [String] {
        [
            at.asDate, user.recordName, "\(channel)", Hexadecimal.text(device.prefix(4)),
            source == 1 ? "public" : "private", subscription.text, outcome.words, "\(changes)",
            "\(attempt)", "\(milliseconds)", answer,
        ]
    }

    fileprivate func write(to json: inout JSONWriter) { Output.write(Self.heading, cells, to: &json) }

    fileprivate var jsonLine: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension PushLogRow.Outcome {
    fileprivate var words: String {
        switch self {
        case .delivered: "delivered"
        case .failed: "failed"
        case .givenUp: "given up"
        case .deviceGone: "device gone"
        }
    }
}
