import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let trendTokens = UseCaseGroup(
        "token", abstract: "Create, list and revoke tokens that read or import trends.",
        [.createTrendToken, .listTrendTokens, .revokeTrendToken])
}

extension UseCase {
    fileprivate static let createTrendToken = UseCase(
        "trends token create", .changes, abstract: "Create a token that reads trends, and print it.",
        discussion: """
            It is printed only once: the server stores only its hash. It opens the page of trends, below the server's address:

              /nephos/1/iCloud.com.example.app/production/trends/#token=TOKEN

            Programs send it as Authorization: Bearer. It reads the trends of one environment, and nothing else.

            Examples:

              nephos trends token create iCloud.com.example.app --environment production \\
                --name "Ada's phone"
              nephos trends token create iCloud.com.example.app --import \\
                --name "Old figures"
            """,
        .tenant, .option("name", default: "", help: "What the token is for, as a note for people."),
        .flag("import", help: "Create a token that imports earlier figures, and reads none.")
    ) { call, tenant, name, isImport in
        .text(try await call.administration.createTrendToken(in: tenant, name: name, isImport: isImport))
    }

    fileprivate static let listTrendTokens = UseCase(
        "trends token list", .reads, lists: true,
        abstract: "List trends tokens, including those revoked recently.",
        discussion: """
            The id grants no access. The day of a use is recorded some minutes later.

            Example:

              nephos trends token list iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let rows = try call.administration.trendTokens(of: tenant).map { listing in
            let row = listing.row
            return [
                row.listedID, row.name.isEmpty ? "-" : row.name, row.isImport ? "imports" : "reads",
                row.createdAt.asDate,
                listing.lastDay.asDay, row.revokedAt.asDateOrDash,
            ]
        }
        return .table(
            ["id", "name", "may", "made", "last used", "revoked"], rows, whenEmpty: "There are no trends tokens.")
    }

    fileprivate static let revokeTrendToken = UseCase(
        "trends token revoke", .changes, abstract: "Revoke a trends token.",
        discussion: """
            It is refused from the next request on, on all servers, and pages that were opened with it show nothing new.

            Example:

              nephos trends token revoke iCloud.com.example.app 8f14e45f
            """,
        .tenant, Input<String>.argument("id", help: "Its id, or the beginning of it.")
    ) { call, tenant, id in
        try await call.administration.revokeTrendToken(id, in: tenant)
        return .nothing
    }
}
