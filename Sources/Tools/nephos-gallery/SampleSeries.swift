import Charts

/// Sample figures like those of apps, the same each time.
enum SampleSeries {
    private static let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Months up to November 2026, which has not ended.
    static func months(_ count: Int) -> [Chart.Period] {
        (0..<count).map { place in
            let month = 2026 * 12 + 10 - (count - 1 - place)
            let number = month % 12 + 1
            return .init(
                "\(month / 12)-\(number < 10 ? "0" : "")\(number)", short: "\(names[month % 12]) \(month / 12)",
                isPartial: place == count - 1)
        }
    }

    /// Days in simplified months of thirty days.
    static func days(_ count: Int) -> [Chart.Period] {
        (0..<count).map { place in
            let day = 2026 * 360 + 325 - (count - 1 - place)
            let (year, month, date) = (day / 360, day % 360 / 30, day % 30 + 1)
            let two = { (number: Int) in "\(number < 10 ? "0" : "")\(number)" }
            let short = count > 360 ? "\(names[month]) \(year)" : "\(names[month]) \(date)"
            return .init("\(year)-\(two(month + 1))-\(two(date))", short: short, isPartial: place == count - 1)
        }
    }

    static func weeks(_ count: Int) -> [Chart.Period] {
        (0..<count).map { .init("2026, week \($0 + 1)", short: "W\($0 + 1)", isPartial: $0 == count - 1) }
    }

    static func repeated(_ value: Double, _ count: Int) -> [Double?] { .init(repeating: value, count: count) }

    static func posts(_ count: Int) -> Chart.Series { grown(walk("Post", count, seed: 21, around: 420)) }

    static func yearBefore(_ count: Int) -> Chart.Series {
        let posts = grown(walk("a year before", count, seed: 22, around: 300))
        return .init(posts.name, posts.values.map { $0.map { ($0 * 0.8).rounded() } })
    }

    private static func grown(_ series: Chart.Series) -> Chart.Series {
        .init(
            series.name,
            series.values.enumerated().map { place, value in
                let share = place == series.values.count - 1 && place > 0 ? 0.5 : 1
                return value.map { ($0 * share * (1 + Double(place) / 12)).rounded() }
            })
    }

    /// A random walk.
    static func walk(_ name: String, _ count: Int, seed: UInt64, around middle: Double) -> Chart.Series {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        var value = middle
        return .init(
            name,
            (0..<count).map { place in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let chance = Double(state >> 40) / Double(1 << 24) - 0.5
                value += chance * middle * 0.5 + (middle - value) * 0.2
                return max(0, value * (place % 7 > 4 ? 0.6 : 1)).rounded()
            })
    }

    static func spike(_ name: String, _ count: Int, at place: Int, of value: Double) -> Chart.Series {
        var values = walk(name, count, seed: 12, around: 30).values
        values[place] = value
        return .init(name, values)
    }

    static func gaps(_ name: String, _ count: Int) -> Chart.Series {
        .init(
            name,
            walk(name, count, seed: 13, around: 25).values.enumerated().map { place, value in
                place < 5 || place == 9 || place == 11 ? nil : place == 12 ? 0 : value
            })
    }

    /// Each version replaces the previous one.
    static func versions(_ count: Int) -> Chart.Content {
        let names = ["3.0", "2.4", "2.3", "2.2", "2.1"]
        let series = names.enumerated().map { place, name in
            let start = (names.count - 1 - place) * count / names.count
            let walked = walk(name, count, seed: UInt64(31 + place), around: 300).values
            return Chart.Series(
                name,
                walked.enumerated().map { month, value in
                    let age = Double(month - start)
                    let share = age < 0 ? 0 : age < 4 ? (age + 1) / 4 : max(0.05, 1 - (age - 3) / 6)
                    return value.map { ($0 * share).rounded() }
                })
        }
        return .stackedBars(series, other: walk("other", count, seed: 40, around: 18))
    }

    static func languages(_ count: Int, bars isBars: Bool) -> Chart.Content {
        let names = ["en", "es", "it", "pt-BR", "pl", "de", "fr", "ja", "tl", "vi", "ko", "sw"]
        let series = names.enumerated().map { place, name in
            walk(name, count, seed: UInt64(50 + place), around: 320 / Double(place + 2))
        }
        return isBars ? .stackedBars(series, other: walk("other", count, seed: 70, around: 30)) : .lines(series)
    }
}
