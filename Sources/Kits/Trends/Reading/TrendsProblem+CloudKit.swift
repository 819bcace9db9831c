import CloudKit
import Foundation

extension TrendsProblem {
    /// Interprets CloudKit's error about a tracker. Its codes do not distinguish a missing index from other mistakes; its messages
    /// do.
    init(_ error: any Error, about tracker: TrendsTracker) {
        let type = tracker.recordType
        guard let error = error as? CKError else {
            self.init(.other, "\(tracker.name) could not be counted (\(error))", "refresh again")
            return
        }
        switch error.code {
        case .unknownItem: self = .unknownType(type)
        case .invalidArguments where error.mentions("marked queryable") || error.mentions("marked sortable"):
            self = .notQueryable(type)
        case .permissionFailure:
            self.init(
                .notPermitted, "the signed-in user is not allowed to read records of \(type)",
                "grant READ of \(type) to a role of this user, \"_world\" or one of your own")
        case _ where type == CKRecord.SystemType.userRecord:
            self.init(
                .notQueryable, "records of \(type) cannot be queried",
                "have the app save a record of another type for each new user, and count those")
        default: self.init(error, what: "\(tracker.name) could not be counted")
        }
    }

    /// Interprets CloudKit's error about the stored counts.
    init(keeping error: any Error) {
        guard let error = error as? CKError else {
            self.init(.other, "counts could not be saved (\(error))", "refresh again")
            return
        }
        if error.code == .invalidArguments, error.mentions("production") {
            self.init(
                .noPlaceForCounts, "the schema has no record types for counts",
                "refresh once in development and deploy the schema, or add the types that docs/trends-kit.md shows")
        } else {
            self.init(error, what: "counts could not be saved")
        }
    }

    private init(_ error: CKError, what: String) {
        switch error.code {
        case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted:
            self.init(.notSignedIn, "no user is signed in", "sign in to iCloud on this device, and refresh again")
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
            .serverResponseLost, .operationCancelled:
            let wait = error.retryAfterSeconds.map { " in \(Int($0.rounded(.up))) s" } ?? " later"
            self.init(.unreachable, "the service could not be reached", "refresh again\(wait)")
        default: self.init(.other, "\(what) (\(error.localizedDescription))", "see the message of CloudKit")
        }
    }

    static func unknownType(_ type: CKRecord.RecordType) -> TrendsProblem {
        TrendsProblem(
            .unknownType, "there is no record type \(type)",
            "correct its name in the app, remove it there, or add the type to the schema")
    }

    private static func notQueryable(_ type: CKRecord.RecordType) -> TrendsProblem {
        TrendsProblem(
            .notQueryable, "records of \(type) cannot be queried by their creation date",
            "make createdTimestamp of \(type) queryable and sortable, which is \"___createTime\" TIMESTAMP QUERYABLE SORTABLE in a "
                + "schema file, and deploy the schema")
    }
}

extension CKError {
    /// Whether the error's text contains these words in any of its descriptions.
    fileprivate func mentions(_ words: String) -> Bool {
        let texts = [localizedDescription, (self as NSError).description]
        return texts.contains { $0.range(of: words, options: .caseInsensitive) != nil }
    }
}
