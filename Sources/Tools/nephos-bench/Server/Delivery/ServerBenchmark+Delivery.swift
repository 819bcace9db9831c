import NephosTesting

/// The parts about notifications of changes (docs/decisions/0006).
extension ServerBenchmark {
    static func printSubscriptions() throws {
        var table = Table([
            "subscriptions on the type", "a save", "ratio", "of the rounds", "aim", "notifying, per change", "ratio",
            "of the rounds", "aim",
        ])
        func text(_ range: ClosedRange<Double>) -> String {
            "\(twoDigits(range.lowerBound)) to \(twoDigits(range.upperBound))"
        }
        for row in try SubscriptionCosts().rows() {
            let (isAny, isCompared) = (row.subscriptions > 0, row.subscriptions > 10)
            table.add([
                whole(Double(row.subscriptions)), µs(row.save), twoDigits(row.ratioOfSave),
                isAny ? text(row.rangeOfSave) : "", isAny ? verdict(row.ratioOfSave <= 1.1, "≤ 1.1") : "",
                row.telling.map { µs($0) } ?? "", isCompared ? twoDigits(row.ratioOfTelling) : "",
                isCompared ? text(row.rangeOfTelling) : "",
                isCompared ? verdict(row.ratioOfTelling <= 1.5, "≤ 1.5") : "",
            ])
        }
        print("### Subscriptions\n\n\(table.text)")
    }

    static func printFanOut() throws {
        let found = try FanOut().run()
        func row(_ times: [Double]) -> [String] {
            [0.5, 0.99, 1].map { µs(times[Int(Double(times.count - 1) * $0)]) } + [whole(Double(times.count))]
        }
        func percentile99(_ times: [Double]) -> Double { times[(times.count - 1) * 99 / 100] }
        let stalled = found.during.count { $0 > percentile99(found.before) + 10_000 }
        var table = Table(["a change for \(whole(Double(FanOut.devices))) devices", "found"])
        table.add(["CPU for a delivery", µs(found.microsecondsEach)])
        table.add(["until all are written", "\(decimal(found.seconds)) s"])
        table.add(["the same while a client saves", "\(decimal(found.secondsBeside)) s"])
        table.add(["deliveries of both", whole(Double(found.deliveries))])
        print("### Fan-out\n\n\(table.text)")
        var saves = Table(["saves before and meanwhile, one after the other", "p50", "p99", "longest", "saves"])
        saves.add(["before"] + row(found.before))
        saves.add(["meanwhile"] + row(found.during))
        print(saves.text)
        let limit = percentile99(found.before) + 10_000
        print(
            "\(stalled) of them took more than 10 ms longer than the previous p99. p99 "
                + verdict(percentile99(found.during) <= limit, "≤ the previous p99 + 10 ms") + ", the longest "
                + verdict((found.during.last ?? 0) <= limit, "≤ the same") + "\n")
    }

    static func printListeners() throws {
        var table = Table([
            "1,000 listeners", "store", "request to first byte, p50", "p99", "answer to first byte, p50", "p99",
        ])
        func add(_ rows: [Listeners.Row], _ store: String) {
            for row in rows {
                let cells = [row.times.fromRequest, row.times.fromAnswer].flatMap { times in
                    [times[times.count / 2], times[(times.count - 1) * 99 / 100]].map { milliseconds($0) }
                }
                table.add([row.name, store] + cells)
            }
        }
        add(try Listeners.rows(nil), "SQLite")
        #if Postgres
            add(try Listeners.rows(PostgresServer()), "PostgreSQL, another server")
        #endif
        print("### Listeners\n\n\(table.text)")
    }

    static func printParked() throws {
        let found = try ParkedPolls().run()
        func kilobytes(_ bytes: Double) -> String { "\(decimal(bytes / 1_024)) KB" }
        var table = Table(["\(whole(Double(ParkedPolls.count))) parked polls", "found", "aim"])
        table.add(["resident memory of one", kilobytes(found.bytesEach), ""])
        table.add([
            "the same after saves during them", kilobytes(found.bytesEachBesideSaves),
            verdict(found.bytesEachBesideSaves <= 25 * 1_024, "≤ 25 KB"),
        ])
        table.add(["CPU of a save with its matching, without them", µs(found.saveBefore), ""])
        table.add(["with them", µs(found.saveBeside), ""])
        table.add(["p99 of a save at 32 connections, without them", µs(Double(found.percentile99Before)), ""])
        table.add(["with them", µs(Double(found.percentile99Beside)), ""])
        print("### Parked polls\n\n\(table.text)")
    }

    private static func twoDigits(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    private static func milliseconds(_ microseconds: Double) -> String { "\(decimal(microseconds / 1e3)) ms" }
}
