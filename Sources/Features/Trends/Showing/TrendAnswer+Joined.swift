import CloudKitWire
import NephosStorage

extension TrendAnswer {
    /// Answers of several containers as one: the same periods, from the first day of any.
    ///
    /// - Parameter answers: To the same question, of the same days, up to the same moment.
    static func joined(_ answers: [(container: String, answer: TrendAnswer)]) -> TrendAnswer? {
        guard let longest = answers.map(\.answer).max(by: { $0.starts.count < $1.starts.count }) else { return nil }
        return TrendAnswer(
            days: longest.days, period: longest.period, starts: longest.starts, isLastPartial: longest.isLastPartial,
            asOf: longest.asOf,
            series: answers.flatMap { container, answer in
                answer.series.map { one in
                    var one = one
                    one.container = container
                    // Before its first day there was nothing.
                    one.add(first: longest.starts.count - answer.starts.count)
                    return one
                }
            }, isSplit: longest.isSplit,
            progress: answers.compactMap(\.answer.progress).min { $0.percent < $1.percent })
    }
}
