package import NephosRunner
import NephosStorage

extension UseCase {
    package static let stats = UseCase(
        "stats", .reads, lists: true, abstract: "Print the number and size of records by type, or by person.",
        discussion: """
            Bytes are those of names and fields, and of files, which count for each record that holds them. By type, the \
            databases of all people count together; by person, a public record counts for its creator. What people share \
            is counted below the table.

            Examples:

              nephos stats iCloud.com.example.app
              nephos stats iCloud.com.example.app --people
            """,
        .tenant, .flag("people", help: "Print the people who have stored the most."),
        .limit(default: 20, help: "With --people: the most people to print.")
    ) { call, tenant, isByPerson, limit in
        let answer = try isByPerson ? people(of: tenant, limit: limit, call) : types(of: tenant, call)
        call.progress("")
        return answer
    }

    private static let volumes = ["public records", "bytes", "of files", "private records", "bytes", "of files"]

    private static func types(of tenant: Tenant, _ call: any UseCaseCall) throws -> UseCaseAnswer {
        let types = try call.administration.statistics(of: tenant) { call.progress("\($0) records") }
        let rows = types.map { [$0.type] + $0.inPublic.cells + $0.inPrivate.cells + [String($0.indexes)] }
        let shares = try call.administration.shareStatistics(of: tenant)
        return .table(["type"] + volumes + ["public indexes"], rows).noting(
            shares.ofRecords + shares.ofZones == 0
                ? nil
                : "Shared: \(shares.ofRecords) records with what is below them, \(shares.ofZones) zones; "
                    + "\(shares.isPublic) of these are public. \(shares.joined) have joined.")
    }

    private static func people(of tenant: Tenant, limit: Int, _ call: any UseCaseCall) throws -> UseCaseAnswer {
        let people = try call.administration.people(of: tenant, limit: limit) { call.progress("\($0) records") }
        let rows = people.map { [$0.name ?? "-", $0.userRecordName] + $0.inPublic.cells + $0.inPrivate.cells }
        return .table(["person", "user record"] + volumes, rows)
    }
}

extension Volume {
    fileprivate var cells: [String] { [String(records), String(bytes), String(fileBytes)] }
}
