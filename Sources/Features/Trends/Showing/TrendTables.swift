import CloudKitWire
import NephosRunner

/// Trends as tables with bars, for a terminal.
struct TrendTables {
    /// Characters of the bars of one table, and the minimum per series if there are several.
    private static let width = 30
    private static let narrowest = 10

    let answer: TrendAnswer

    /// One table for each series, one below the other.
    var below: UseCaseAnswer {
        answer.series.map(table).reduce(UseCaseAnswer.nothing) { $0.then($1) }
    }

    /// All series in one table, each with its bars, so that the same day of several is in one line.
    var combined: UseCaseAnswer {
        let width = max(Self.narrowest, Self.width / max(1, answer.series.count))
        let bars = answer.series.map(bars(width: width))
        let head = ["By \(answer.period.rawValue)"] + zip(answer.series, bars).flatMap { [$0.title, $1.axis] }
        let rows = answer.starts.indices.map { place in
            [start(place)]
                + zip(answer.series, bars).flatMap { one, bars in [text(bars.numbers[place], one, place), bars[place]] }
        }
        let table = UseCaseAnswer.table(head, rows)
        return answer.series.reduce(table) { $0.noting(summary(of: $1)) }
    }

    private func table(_ one: TrendAnswer.Series) -> UseCaseAnswer {
        let columns = one.columns
        let bars = bars(width: Self.width)(one)
        // The change of a list's length is a column already.
        let changes = one.list == nil ? changes(of: one, bars.numbers) : nil
        let names = columns.map { "\($0.name)" }
        let barPlace = one.list == nil ? 0 : columns.count - 1
        var head = [one.title]
        for (place, name) in names.enumerated() {
            head.append(name.prefix(1).uppercased() + name.dropFirst())
            if place == barPlace { head += [bars.axis] + (changes == nil ? [] : ["Change"]) }
        }
        let rows = answer.starts.indices.map { period in
            var row = [start(period)]
            for (place, column) in columns.enumerated() {
                row.append(text(column.numbers[period], one, period))
                if place == barPlace { row += [bars[period]] + (changes.map { [$0[period]] } ?? []) }
            }
            return row
        }
        return UseCaseAnswer.table(head, rows).noting(summary(of: one))
    }

    /// The numbers that bars show.
    private func shown(of one: TrendAnswer.Series) -> (name: StaticString, numbers: [Int64]) {
        let columns = one.columns
        return one.list == nil ? columns[0] : columns[columns.count - 1]
    }

    /// Unknown numbers have no bar.
    private func bars(width: Int) -> (TrendAnswer.Series) -> TrendBars {
        { one in
            let numbers = shown(of: one).numbers
            return TrendBars(numbers: numbers.indices.map { one.isKnown($0) ? numbers[$0] : 0 }, width: width)
        }
    }

    /// The number of a period; a dash if it is not known.
    private func text(_ number: Int64, _ one: TrendAnswer.Series, _ place: Int) -> String {
        one.isKnown(place) ? "\(number)" : "-"
    }

    private func isPartial(_ place: Int) -> Bool { answer.isLastPartial && place == answer.starts.count - 1 }

    private func start(_ place: Int) -> String {
        "\(CivilDate(answer.starts[place]))" + (isPartial(place) ? " so far" : "")
    }

    /// The change of each period from the previous one; empty for a period that is not over, and where one of them is not known.
    private func changes(of one: TrendAnswer.Series, _ numbers: [Int64]) -> [String] {
        numbers.indices.map { place in
            guard place > 0, !isPartial(place), one.isKnown(place), one.isKnown(place - 1) else { return "" }
            let (before, now) = (numbers[place - 1], numbers[place])
            guard before > 0 else { return now > 0 ? "new" : "" }
            let percent = (Double(now - before) / Double(before) * 100).rounded()
            return percent == 0 ? "±0 %" : "\(percent > 0 ? "+" : "−")\(Int64(abs(percent))) %"
        }
    }

    private func summary(of one: TrendAnswer.Series) -> String {
        let total = one.counts.reduce(into: TrendCounts()) { $0 += $1 }
        let how = "by \(answer.period.rawValue) in \(answer.days.name)"
        guard one.list == nil else {
            return "\(one.title): \(one.live.last ?? 0) elements, \(total.net) more than before, \(how)."
        }
        return
            "\(one.title): \(total.created) created, \(total.deleted) deleted, \(total.restored) restored, "
            + "\(one.live.last ?? 0) live, \(how)."
    }
}

/// Bars from zero to the maximum.
struct TrendBars {
    let numbers: [Int64]
    /// In characters.
    let width: Int

    private var most: Int64 { numbers.max() ?? 0 }

    /// From zero to the maximum, as wide as the bars.
    var axis: String {
        let end = most > 0 ? "\(most)" : ""
        return "0" + String(repeating: " ", count: max(1, width - 1 - end.count)) + end
    }

    /// In eighths of a character; any number above zero is visible.
    subscript(place: Int) -> String {
        guard numbers[place] > 0, most > 0 else { return "" }
        let eighths = max(1, Int(Double(numbers[place]) / Double(most) * Double(width * 8)))
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}
