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
        "trends recount", .reads, lists: true, abstract: "Count the records anew, and compare them with the figures.",
        discussion: """
            Types, lists and values of splits are counted as they are now, and held against how many there are by trends. It changes nothing. nephos check \
            does the same for all containers.

            Example:

              nephos trends recount iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let administration = try call.administration
        var check = TrendCheck(administration, try administration.store(tenant))
        check.progress = { call.progress("Counting \(tenant.container): \($0)") }
        defer { call.progress("") }
        let report = try check.report()
        guard report.findings.isEmpty else {
            return .table(["What differs"], report.findings.map { [$0.what] })
                .failing(
                    "Figures differ from the records. Restore a backup; or, where it is a list, a split or a private type, have it counted anew: "
                        + "nephos trends untrack, then track.")
        }
        guard report.open.isEmpty else {
            return .table(["What could not be compared"], report.open.map { [$0] })
                .failing("All else agrees. Ask again later; nephos trends list shows how far counting back is.")
        }
        return .note("The figures are those of the records.")
    }
}
