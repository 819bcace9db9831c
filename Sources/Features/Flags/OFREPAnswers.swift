import Audience
import CloudKitWire
import NephosRunner

/// Responses in version 0.2 of the OFREP protocol.
extension JSONWriter {
    mutating func write(_ evaluation: Evaluation, of key: String) {
        beginObject()
        member("key", key)
        self.key("value")
        raw(evaluation.variant.json[...])
        member("variant", evaluation.variant.name)
        member("reason", evaluation.reason.rawValue)
        self.key("metadata")
        beginObject()
        if let rule = evaluation.rule { member("rule", rule) }
        if let bucket = evaluation.bucket { member("bucket", Int64(bucket)) }
        if let prerequisite = evaluation.prerequisite { member("prerequisite", prerequisite) }
        if let (rule, doubt) = evaluation.passedOver {
            member("passedOver", rule)
            member("why", doubt.description)
        }
        endObject()
        endObject()
    }

    mutating func write(_ failure: Evaluation.Failure, of key: String) {
        beginObject()
        member("key", key)
        member("errorCode", failure.code)
        member("errorDetails", failure.details)
        endObject()
    }
}

extension Evaluation.Failure {
    var details: String {
        switch self {
        case .notFound: "there is no such flag"
        case .missingTargetingKey: "this flag is split by targetingKey, but the context has none"
        case .broken(let reason): reason
        }
    }

    var status: Int { if case .notFound = self { 404 } else { 400 } }
}

extension ErrorMembers {
    /// OFREP's members of an error that no evaluation has found: of a refusal, or at a path that does not exist. Its clients need them
    /// to show the reason.
    static let ofrep = ErrorMembers { json, reason, key in
        if let key { json.member("key", String(key)) }
        json.member("errorCode", "GENERAL")
        json.member("errorDetails", reason)
    }
}

extension AdmittedCall {
    func failure(_ failure: Evaluation.Failure, of key: String) -> RawResponse {
        self.failure(failure.code, failure.details, of: key, status: failure.status)
    }

    /// Contains the members of OFREP errors, and those of all our errors.
    func failure(_ code: String, _ details: String, of key: String?, status: Int) -> RawResponse {
        var json = JSONWriter()
        json.beginObject()
        if let key { json.member("key", key) }
        json.member("errorCode", code)
        json.member("errorDetails", details)
        json.member("uuid", call.request.id.text)
        let ours: ServerErrorCode = status == 404 ? .notFound : status == 400 ? .badRequest : .internalError
        json.member("serverErrorCode", ours.rawValue)
        json.member("reason", details)
        json.endObject()
        var answer = success(json.bytes)
        answer.status = status
        return answer
    }
}
