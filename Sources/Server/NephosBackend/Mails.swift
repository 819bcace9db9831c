import Logging
import Metrics
import NephosRunner
import NephosStorage

/// The mails of a server: whether they are sent, the job that sends them, and its metrics and log.
struct Mails {
    let state: MailState
    let job: Job

    init(_ worker: Worker, by mail: any OutgoingMail, metrics: PrometheusMetrics, logger: Logger) {
        state = MailState(mail)
        state.begin(worker.runner)
        if !state.isSetUp { logger.info("mail is not configured and is not sent: see nephos mail configure") }
        let counters = Dictionary(
            uniqueKeysWithValues: SendMails.Outcome.allCases.map { outcome in
                (
                    outcome,
                    Counter(label: "nephos_mails_total", dimensions: [("outcome", outcome.rawValue)], factory: metrics)
                )
            })
        job =
            SendMails(worker, by: mail, state) { report in
                counters[report.outcome]?.increment()
                var metadata: Logger.Metadata = ["purpose": "\(report.purpose)", "attempt": "\(report.attempt)"]
                metadata["error"] = report.failure.map { "\($0)" }
                metadata["text"] = report.shown.map { "\($0)" }
                switch report.outcome {
                case .sent: logger.info("a mail was sent", metadata: metadata)
                case .failed: logger.warning("a mail was not accepted, and will be retried", metadata: metadata)
                case .givenUp:
                    logger.error("a mail could not be delivered, and will not be retried", metadata: metadata)
                }
            }
            .job
    }
}
