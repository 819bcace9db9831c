import CloudKit
public import Foundation
import KitSupportCloudKit
public import PublishedContent

extension CloudContentSource {
    public func download(
        _ field: String, of item: ContentItem, to file: URL, bytesMax: Int64
    ) async throws(ContentFault) {
        do {
            let source = try await found(field, of: item)
            guard source.size <= bytesMax, let url = source.url else {
                throw ContentFault(.tooLarge, "\(field) of \(item.id) has more than \(bytesMax) bytes")
            }
            try FileManager.default.copyItem(at: url, to: file)
        } catch let fault as ContentFault {
            throw fault
        } catch let error as CKError {
            throw ContentFault(cloudKit: error)
        } catch {
            throw ContentFault(.notStored, "\(field) of \(item.id) cannot be copied: \(error)")
        }
    }

    /// The file where the system has stored it; fetched again if that is unknown or it is no longer there.
    private func found(_ field: String, of item: ContentItem) async throws -> ContentFile {
        if let file = item[field]?.file, let url = file.url, FileManager.default.isReadableFile(atPath: url.path) {
            return file
        }
        let id = CKRecord.ID(recordName: item.id)
        let record = try await database.records(for: [id], desiredKeys: [field])[id]?.get()
        guard let record, let asset = record[field] as? CKAsset, let file = ContentFile(asset) else {
            throw ContentFault(.notFound, "\(item.id) has no file \(field)")
        }
        guard record.recordChangeTag == item.changeTag else {
            throw ContentFault(.notFound, "\(item.id) has changed: fetch it again")
        }
        return file
    }
}
