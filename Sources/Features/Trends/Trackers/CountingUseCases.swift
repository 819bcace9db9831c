import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let backfill = UseCase(
        "trends backfill", .changes, abstract: "Count earlier records, without a server.",
        discussion: """
            A running server does this by itself. Servers can keep running meanwhile: each record counts once.

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
        return .note("All records of the tracked types are counted.")
    }

    static let recount = UseCase(
        "trends recount", .reads, lists: true, abstract: "Recount the records, and compare them with the figures.",
        discussion: """
            Counts types, lists, values of splits and clients as they are now, and compares them with the figures of trends. It changes nothing. nephos \
            check does the same for all containers.

            Example:

              nephos trends recount iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let administration = try call.administration
        let store = try administration.store(tenant)
        var check = TrendCheck(administration, store)
        check.progress = { call.progress("Counting \(tenant.container): \($0)") }
        defer { call.progress("") }
        var report = try check.report()
        report.add(try ClientCheck.report(administration, store))
        guard report.findings.isEmpty else {
            return .table(["What differs"], report.findings.map { [$0.what] })
                .failing(
                    "Figures differ from the records. Restore a backup; or, for a list, a split or a private type, recount it: "
                        + "nephos trends untrack, then nephos trends track.")
        }
        guard report.open.isEmpty else {
            return .table(["What could not be compared"], report.open.map { [$0] })
                .failing("Everything else matches. Try again later; nephos trends list shows the progress.")
        }
        return .note("The figures match the records.")
    }
}
