import Foundation
import NephosTransport

/// Uploads the files of records that are to be saved in one zone.
struct AssetUpload: Sendable {
    /// The uploaded files, as the server identifies them.
    struct Files: Sendable {
        fileprivate var uploaded: [Key: StoredAsset] = [:]

        fileprivate struct Key: Hashable, Sendable {
            var asset: ObjectIdentifier
            var record: CKRecordID
            var field: String
        }

        /// The file as it is sent in a field; nil if the server does not have the file for this field.
        func stored(_ asset: CKAsset, of record: CKRecord, field: String) -> StoredAsset? {
            uploaded[Key(asset: ObjectIdentifier(asset), record: record.recordID, field: field)]
                ?? asset.stored.flatMap { $0.isHeld(by: record.recordID, field) ? $0 : nil }
        }

        /// The file of a field after its record was saved.
        func saved(_ asset: CKAsset, _ record: CKRecord, _ field: String) -> CKAsset {
            guard var stored = stored(asset, of: record, field: field) else { return asset }
            stored.receipt = nil
            stored.holder = StoredAsset.Holder(record: record.recordID, field: field)
            return CKAsset(stored, fileURL: asset.fileURL)
        }
    }

    private struct Item: Sendable {
        var record: CKRecord
        var field: String
        var asset: CKAsset
        var url: URL
        var stamp: Stamp
    }

    /// The size and modification date of a file, by which a change during the upload is detected.
    private struct Stamp: Sendable, Equatable {
        var size: Int64
        var modified: Date?

        init?(_ url: URL) {
            guard url.isFileURL, let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
                attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber
            else { return nil }
            self.size = size.int64Value
            modified = attributes[.modificationDate] as? Date
        }
    }

    var service: Service
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID

    /// - Parameter failures: Receives the errors that concern the files of single records, by record.
    /// - Throws: An error that concerns all files.
    func run(
        _ records: [CKRecord], onlyChanges: Bool, _ terms: Service.Terms, _ failures: inout [CKRecord.ID: CKError],
        _ progress: @escaping RecordSaving.Progress
    ) async throws(CKError) -> Files {
        let items = items(records, onlyChanges: onlyChanges, &failures)
        var files = Files()
        var start = 0
        while start < items.count {
            let part = items[start..<min(start + RequestLimits.items, items.count)]
            start = part.endIndex
            let tokens = part.map {
                AssetsUpload.Token(
                    recordName: $0.record.recordID.recordName, recordType: $0.record.recordType, fieldName: $0.field)
            }
            let call = AssetsUpload(scope: scope, zone: zone, tokens: tokens)
            let addresses: [String]
            do throws(CKError) {
                addresses = try await service.answer(call, terms)
            } catch {
                guard error.code == .zoneNotFound || error.code == .permissionFailure || error.code == .invalidArguments
                else { throw error }
                for item in part { failures[item.record.recordID] = error }
                continue
            }
            for (item, address) in zip(part, addresses) where failures[item.record.recordID] == nil {
                let key = Files.Key(
                    asset: ObjectIdentifier(item.asset), record: item.record.recordID, field: item.field)
                do throws(CKError) {
                    files.uploaded[key] = try await service.upload(item.url, to: address, terms) {
                        progress(item.record, $0)
                    }
                } catch {
                    if error.code == .operationCancelled { throw error }
                    failures[item.record.recordID] = Stamp(item.url) == nil ? Self.missing(item.url) : error
                    continue
                }
                guard Stamp(item.url) == item.stamp, files.uploaded[key]?.size == item.stamp.size else {
                    failures[item.record.recordID] = CKError(
                        .assetFileModified, "\(item.url.path) was changed during the upload")
                    continue
                }
            }
        }
        return files
    }

    private func items(
        _ records: [CKRecord], onlyChanges: Bool, _ failures: inout [CKRecord.ID: CKError]
    ) -> [Item] {
        var items: [Item] = []
        for record in records {
            let contents = record.contents.value
            for (field, value) in contents.fields
            where value.hasAssets && (!onlyChanges || contents.changed.contains(field)) {
                for asset in value.assets where asset.stored?.isHeld(by: record.recordID, field) != true {
                    guard let url = asset.fileURL else {
                        failures[record.recordID] = CKError(
                            .assetNotAvailable,
                            "the file of the field \(field) is not on this device: "
                                + "fetch its record first with CKDatabase.record(for:)")
                        continue
                    }
                    guard let stamp = Stamp(url) else {
                        failures[record.recordID] = Self.missing(url)
                        continue
                    }
                    items.append(Item(record: record, field: field, asset: asset, url: url, stamp: stamp))
                }
            }
        }
        return items
    }

    private static func missing(_ url: URL) -> CKError {
        CKError(
            .assetFileNotFound,
            "\(url.isFileURL ? url.path : url.absoluteString) is not a readable file on this device")
    }
}

extension StoredAsset {
    func isHeld(by record: CKRecordID, _ field: String) -> Bool { holder == Holder(record: record, field: field) }
}
