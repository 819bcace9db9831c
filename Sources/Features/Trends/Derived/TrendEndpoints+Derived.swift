import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The article's derived values, and what is new for somebody.
extension Trends {
    static let derived: [Endpoint] = [
        Endpoint("trends/totals", at: .container, methods: [.get]) { call in
            try call.answerDerived { figures, _ in figures.totals }
        },
        Endpoint("trends/feed", at: .container, methods: [.get]) { call in
            let viewer = try call.viewer(isNeeded: false)
            return try call.answerDerived(for: viewer, sinceYesterday: true) { figures, mark in
                figures.feed(since: mark, hasViewer: viewer != nil)
            }
        },
        Endpoint("trends/deltas", at: .container, methods: [.get, .post]) { call in
            let viewer = try call.viewer(isNeeded: true)
            guard call.call.request.method == .post else {
                return try call.answerDerived(for: viewer, sinceYesterday: true) { figures, mark in
                    figures.deltas(since: mark)
                }
            }
            let forgets = RequestQuery.value(of: "forget", in: call.call.request.target) == "1"
            return try forgets ? call.removeMark(of: viewer ?? "") : call.moveMark(of: viewer ?? "")
        },
    ]
}

extension AdmittedCall {
    fileprivate func viewer(isNeeded: Bool) throws -> String? {
        try trendAccess(.reads)
        guard let viewer = RequestQuery.value(of: "viewer", in: call.request.target), !viewer.isEmpty else {
            guard !isNeeded else {
                throw Refusal.badRequest("viewer is missing: pass viewer=NAME, with any name for yourself")
            }
            return nil
        }
        guard TrendMarkRow.isViewer(viewer) else {
            throw Refusal.badRequest("viewer must have at most \(TrendMarkRow.viewerBytesMax) bytes")
        }
        return viewer
    }

    private func derived(sinceYesterday: Bool = false) throws -> DerivedTrends {
        try trendAccess(.reads)
        let settings = try trendSettings()
        let zone = RequestQuery.value(of: "zone", in: call.request.target)
        do throws(TrendFailure) {
            let all = try DerivedTrends(settings, context.catalog, zone: zone)
            guard sinceYesterday else { return all }
            return try DerivedTrends(settings, context.catalog, since: all.days.day(of: context.now) - 1, zone: zone)
        } catch {
            throw Refusal.badRequest(error.description)
        }
    }

    fileprivate func answerDerived(
        for viewer: String? = nil, sinceYesterday: Bool = false,
        _ body: @escaping @Sendable (DerivedTrends.Figures, TrendMarkRow?) -> [UInt8]
    ) throws -> Work {
        let derived = try derived(sinceYesterday: sinceYesterday)
        var set = derived.reading(context.catalog)
        let scan = viewer.map { TrendMarkRow.of($0) }
        if let scan { set.ask(scan) }
        return carryOut(set) { reading in
            .blocking {
                do {
                    let figures = try derived.figures(reading, now: self.context.now)
                    return .answer(self.success(body(figures, scan.flatMap { reading[$0].first })))
                } catch let failure as TrendFailure {
                    return self.failed(Refusal.badRequest(failure.description))
                } catch {
                    return self.failed(error)
                }
            }
        }
    }

    /// Records that the current figures have been seen. Responds with what was new.
    fileprivate func moveMark(of viewer: String) throws -> Work {
        let move = MoveMark(
            derived: try derived(sinceYesterday: true), catalog: context.catalog, viewer: viewer, now: context.now)
        return commit(move.reading) { reading in
            do { return try move.decide(reading) } catch let failure as TrendFailure {
                throw Refusal.badRequest(failure.description)
            }
        } _: {
            $0.figures.deltas(since: $0.mark)
        }
    }

    fileprivate func removeMark(of viewer: String) throws -> Work {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(TrendMarkRow.of(viewer))
        return commit(set) { reading -> Decision<[UInt8]> in
            var writes = WriteSet()
            for row in reading[TrendMarkRow.of(viewer)] { writes.remove(row) }
            return .write(writes, Array("{}".utf8))
        } _: {
            $0
        }
    }
}
