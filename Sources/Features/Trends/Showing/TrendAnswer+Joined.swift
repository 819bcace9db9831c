import CloudKitWire
import NephosStorage

extension TrendAnswer {
    /// The answers of several containers as one: the same periods, from the first day of any.
    ///
    /// - Parameter answers: To the same question, up to the same moment.
    /// - Throws: ``TrendFailure`` if imported figures use days of different zones.
    static func joined(_ answers: [(container: String, answer: TrendAnswer)]) throws(TrendFailure) -> TrendAnswer? {
        guard let longest = answers.map(\.answer).max(by: { $0.starts.count < $1.starts.count }) else { return nil }
        if let other = answers.first(where: { $0.answer.days.name != longest.days.name }) {
            throw TrendFailure(
                "\(other.container) counts days of \(other.answer.days.name), but others of \(longest.days.name): show it alone"
            )
        }
        return TrendAnswer(
            days: longest.days, period: longest.period, starts: longest.starts, isLastPartial: longest.isLastPartial,
            asOf: longest.asOf,
            series: answers.flatMap { container, answer in
                answer.series.map { one in
                    var one = one
                    one.container = container
                    // There are no counts before its first day.
                    one.add(first: longest.starts.count - answer.starts.count)
                    return one
                }
            }, isSplit: longest.isSplit,
            progress: answers.compactMap(\.answer.progress).min { $0.percent < $1.percent })
    }
}
