import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let backfill = UseCase(
        "trends backfill", .changes, abstract: "Count back what was there before, without a server.",
        discussion: """
            A running server does it by itself. It may go on meanwhile: each record counts once.

            Example:

              nephos trends backfill iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let administration = try call.administration
        let access = CommandAccess(administration: administration, store: try administration.store(tenant))
        var work = TrendWork(access: access, now: call.now())
        work.progress = { call.progress("Counting back \(tenant.container): \($0) %") }
        defer { call.progress("") }
        try await work.count()
        return .note("Everything that the settings name is counted.")
    }

    static let recount = UseCase(
        "trends recount", .reads, abstract: "Count the records anew, and compare them with the figures.",
        discussion: """
            Types, lists and values of splits are counted as they are now, and held against how many there are by trends. It changes nothing. nephos check \
            does the same for all containers.

            Example:

              nephos trends recount iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let administration = try call.administration
        let findings = try TrendCheck(administration, try administration.store(tenant)).findings()
        guard !findings.isEmpty else { return .note("The figures are those of the records.") }
        return .table(["What differs"], findings.map { [$0.what] })
            .failing(
                "Figures differ from the records. Restore a backup, or count anew what the settings name: untrack it, and track it."
            )
    }
}
