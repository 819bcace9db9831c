package import CloudKit
import CoreLocation
import Foundation
package import PublishedContent

extension ContentItem {
    /// What a record holds. Values of a kind that this version does not know are left out.
    package init(_ record: CKRecord) {
        self.init(id: record.recordID.recordName, type: record.recordType, changeTag: record.recordChangeTag ?? "")
        for key in record.allKeys() {
            if let value = record[key] { fields[key] = ContentValue(value) }
        }
    }
}

extension ContentValue {
    /// nil for what it cannot be. Records give objects, which are asked here what values they are.
    fileprivate init?(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date)
        case let bytes as Data: self = .bytes(bytes)
        case let number as NSNumber:
            // A whole number is a number with a fraction, too, where the field is one of those.
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
    /// - Returns: nil where the file is not here.
    init?(_ asset: CKAsset) {
        guard let url = asset.fileURL,
            let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        else { return nil }
        self.init(size: size.int64Value, url: url)
    }
}
