import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Trends {
    /// Imports figures that were counted elsewhere. Requires a server key or a token for imports.
    static let imports = Endpoint("trends/import", at: .container, methods: [.post]) { call in
        try call.trendAccess(.imports)
        let report: ImportReport
        do throws(WireError) { report = try ImportReport(call.body) } catch {
            throw error.isLimit ? Refusal.limitExceeded("\(error)") : Refusal.badRequest("\(error)")
        }
        // This bounds the years of a source. In the source's zone it may already be tomorrow.
        if let last = report.lastDay, let days = Days(zone: report.zone), last > days.day(of: call.context.now) + 1 {
            throw Refusal.badRequest("the day \(CivilDate(last)) is in the future")
        }
        let take = SaveImport(report: report, now: call.context.now)
        return call.commit(take.reading, decide: take.decide) {
            var json = JSONWriter()
            json.beginObject()
            json.member("source", report.source)
            json.member("series", Int64(report.seriesCount))
            json.member("days", Int64(report.dayCount))
            json.endObject()
            return json.bytes
        }
    }
}

extension AdmittedCall {
    /// Responds to `…/trends/series?source=NAME`.
    func answerImported(_ source: String) throws -> Work {
        let target = call.request.target
        func value(_ name: StaticString) -> String? { RequestQuery.value(of: name, in: target) }
        var question: ImportedQuestion
        guard ["0", "1"].contains(value("private") ?? "0") else { throw Refusal.badRequest("private must be 1 or 0") }
        do throws(TrendFailure) {
            question = try ImportedQuestion(
                source: source, types: RequestQuery.values(of: "type", in: target), since: value("since"),
                until: value("until"), by: value("by"), zone: value("zone"), isPrivate: value("private") == "1",
                split: value("split"), list: value("list"))
        } catch {
            throw Refusal.badRequest(error.description)
        }
        question.last = try TrendQuestion.last(of: target, isAlone: question.since == nil)
        let form = try TrendForm(call.request)
        let asked = question
        return answering(form, asked.reading) { reading in try asked.answer(reading, now: self.context.now) }
    }

    /// Responds to a question about series in the requested form.
    func answering(
        _ form: TrendForm, _ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> TrendAnswer
    ) -> Work {
        carryOut(set) { reading in
            // Assembling years of many types takes a while.
            .blocking {
                do {
                    return .answer(form.answer(try body(reading), self))
                } catch let failure as TrendFailure {
                    return self.failed(Refusal.badRequest(failure.description))
                } catch {
                    return self.failed(error)
                }
            }
        }
    }
}
