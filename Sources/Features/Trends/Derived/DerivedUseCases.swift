import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let trendTotals = UseCase(
        "trends totals", .reads, abstract: "Show totals, the most in a day, and the lengths of lists.",
        discussion: "Example:\n\n  nephos trends totals iCloud.com.example.app",
        .tenant, Input<Output>.output
    ) { call, tenant, output in
        let figures = try call.derivedFigures(of: tenant)
        guard output == .table else { return .bytes(figures.totals + [UInt8(ascii: "\n")]) }
        let types = figures.records.map { answer, one -> [String] in
            let first = one.counts.firstIndex { $0.created > 0 }
            return [
                one.type.text, "\(one.total.created)", "\(one.counts.map(\.created).max() ?? 0)",
                first.map { "\(CivilDate(answer.starts[$0]))" } ?? "-", "\(one.total.net)",
            ]
        }
        let lists = figures.lists.map { [$0.name, "\($0.series.total.net)"] }
        let answer = UseCaseAnswer.table(
            ["Type", "Created", "Most in a day", "First day", "Live"], types, whenEmpty: "No type is shown.")
        return lists.isEmpty ? answer : answer.then(.table(["List", "Elements"], lists))
    }

    static let trendDeltas = UseCase(
        "trends deltas", .changes, abstract: "Show how much lists have grown since a viewer last looked.",
        discussion: """
            Only with --look the viewer counts as having looked now.

            Example:

              nephos trends deltas iCloud.com.example.app --viewer marissa --look
            """,
        .tenant, Input<String>.option("viewer", help: "The viewer's name: any text of up to 64 bytes."),
        .flag("look", help: "Record this look: the next one shows what is new since now."),
        Input<Output>.output
    ) { call, tenant, viewer, isLook, output in
        guard TrendMarkRow.isViewer(viewer) else {
            throw Failure("--viewer must have 1 to \(TrendMarkRow.viewerBytesMax) bytes.", kind: .wrongUsage)
        }
        let administration = try call.administration
        let store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        let move = MoveMark(
            derived: try call.derived(catalog), catalog: catalog, viewer: viewer, now: call.now(), isMoved: isLook)
        let look: MoveMark.Look
        do {
            look =
                isLook
                ? try await administration.commit(to: store, move.reading, move.decide)
                : try move.look(try administration.read(store, move.reading))
        } catch let failure as TrendFailure { throw Failure(failure.sentence) }
        guard output == .table else {
            return .bytes(look.figures.deltas(since: look.mark) + [UInt8(ascii: "\n")])
        }
        let since = look.mark.map { "since \($0.at.asDate)" } ?? "since the beginning: \(viewer) has never looked"
        return .table(
            ["List", "Longer by"], look.figures.changes(since: look.mark).map { [$0.name, "\($0.number)"] },
            whenEmpty:
                "No list is tracked. Track one with: \(call.command("trends track \(tenant.asTyped) --list TYPE.FIELD"))"
        ).noting("What is new \(since).")
    }
}

extension UseCaseCall {
    fileprivate func derived(_ catalog: Catalog) throws -> DerivedTrends {
        do throws(TrendFailure) { return try DerivedTrends(try catalog.trendsOrFailure(), catalog) } catch {
            throw Failure(error.sentence)
        }
    }

    fileprivate func derivedFigures(of tenant: Tenant) throws -> DerivedTrends.Figures {
        let administration = try administration
        let store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        let derived = try derived(catalog)
        do {
            return try derived.figures(try administration.read(store, derived.reading(catalog)), now: now())
        } catch let failure as TrendFailure { throw Failure(failure.sentence) }
    }
}

extension Catalog {
    fileprivate func trendsOrFailure() throws(TrendFailure) -> TrendSettings {
        do throws(SectionFailure) { return try trends() } catch {
            throw TrendFailure("the settings cannot be read by this version: \(error)")
        }
    }
}
