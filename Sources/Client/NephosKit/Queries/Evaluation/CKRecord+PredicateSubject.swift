import Foundation
import NephosTransport

extension CKRecord: PredicateSubject {
    func value(ofField name: String) -> Any? {
        guard name != PredicateSearch.everyField else {
            return contents.value.fields.values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        switch SystemKey(spelling: name) {
        case .recordName: return recordID
        case .createdTimestamp: return creationDate
        case .modifiedTimestamp: return modificationDate
        case .createdUserRecordName: return creatorUserRecordID
        case .modifiedUserRecordName: return lastModifiedUserRecordID
        case .parent: return parent
        case .share: return share
        case nil: return object(forKey: name)
        }
    }
}
