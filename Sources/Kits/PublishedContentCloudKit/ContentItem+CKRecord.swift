package import CloudKit
import CoreLocation
import Foundation
package import PublishedContent

extension ContentItem {
    /// Creates an item from a record. Values of a kind that this version does not know are left out.
    package init(_ record: CKRecord) {
        self.init(id: record.recordID.recordName, type: record.recordType, changeTag: record.recordChangeTag ?? "")
        for key in record.allKeys() {
            if let value = record[key] { fields[key] = ContentValue(value) }
        }
    }
}

extension ContentValue {
    /// nil for a value that content does not support. Records return objects, whose types are determined here.
    fileprivate init?(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date)
        case let bytes as Data: self = .bytes(bytes)
        case let number as NSNumber:
            // A whole number in a DOUBLE field is a double, too.
            let isDouble = ["d", "f"].contains(String(cString: number.objCType))
            self = isDouble ? .double(number.doubleValue) : .integer(number.int64Value)
        case let asset as CKAsset:
            guard let file = ContentFile(asset) else { return nil }
            self = .file(file)
        case let reference as CKRecord.Reference: self = .reference(reference.recordID.recordName)
        case let place as CLLocation:
            self = .location(latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
        case let list as [Any]: self = .list(list.compactMap { ContentValue($0) })
        default: return nil
        }
    }
}

extension ContentFile {
    /// - Returns: nil if the file is not on this device.
    init?(_ asset: CKAsset) {
        guard let url = asset.fileURL,
            let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        else { return nil }
        self.init(size: size.int64Value, url: url)
    }
}
