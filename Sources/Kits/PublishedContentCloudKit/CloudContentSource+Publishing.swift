import CloudKit
import Foundation
import KitSupportCloudKit
public import PublishedContent

extension CloudContentSource {
    /// Saves the whole publication in one request. `now` is the time of the device's clock.
    public func publish(_ publication: Publication) async throws(ContentFault) {
        do {
            let id = CKRecord.ID(recordName: publication.item)
            let record = try await database.record(for: id)
            guard record.recordType == publication.type.name else {
                throw ContentFault(.refused, "\(publication.item) is a \(record.recordType)")
            }
            record.set(publication, now: now())
            let saved = try await database.modifyRecords(
                saving: [record], deleting: [], savePolicy: .ifServerRecordUnchanged)
            _ = try saved.saveResults[id]?.get()
        } catch let fault as ContentFault {
            throw fault
        } catch {
            var fault = ContentFault(cloudKit: error)
            if [.notAllowed, .notFound].contains(fault.kind) {
                let what =
                    "\(publication.item) cannot be published by the signed-in user: "
                    + "publishing requires the right to write \(publication.type.name), for example by a role"
                fault = ContentFault(.notAllowed, "\(what) (\(fault.message))")
            }
            throw fault
        }
    }
}

extension CKRecord {
    fileprivate func set(_ publication: Publication, now: Date) {
        let type = publication.type
        switch publication.start {
        case .now: self[type.publishedAt] = now
        case .at(let date): self[type.publishedAt] = date
        case .never: self[type.publishedAt] = nil as Date?
        }
        if publication.until != nil || self[type.until] != nil { self[type.until] = publication.until }
        switch publication.audience {
        case .unchanged: break
        case .everybody: if self[type.audience] != nil { self[type.audience] = nil as String? }
        case .condition(let text): self[type.audience] = text
        }
    }
}
