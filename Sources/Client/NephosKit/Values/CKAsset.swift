public import Foundation

/// A field's value that is a file: of this machine, until it is saved; of the server, and a copy here, when it was fetched.
public final class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The file: the one that is to be saved, or a copy of the one that was fetched, which lies in the cache and may go when the
    /// cache is full; move or copy what is to stay. Nil where only the server has it, as in the server's record of a conflict.
    public let fileURL: URL?
    /// What the server said of the file; nil until it was saved.
    let stored: StoredAsset?

    /// Makes a file of this machine the value of a field. It is read and sent when the record is saved. A server takes up to
    /// 50 MB, unless its operator permits more.
    ///
    /// - Parameter fileURL: The file. One that is missing then fails its record with `assetFileNotFound`, one that
    ///   changes meanwhile with `assetFileModified`.
    public init(fileURL: URL) {
        self.fileURL = fileURL
        stored = nil
    }

    init(_ stored: StoredAsset?, fileURL: URL?) {
        self.fileURL = fileURL
        self.stored = stored
    }

    public override var description: String {
        "<CKAsset: \(fileURL?.path ?? "not here")\(stored.map { ", \($0.size) bytes" } ?? "")>"
    }

    public static var supportsSecureCoding: Bool { true }

    /// Writes where the file is, and nothing of what is in it, nor what the server knows it by.
    public func encode(with coder: NSCoder) {
        coder.encodeIfAny(fileURL.map { $0.absoluteString as NSString }, forKey: "fileURL")
    }

    /// Reads a file that is sent again when a record with it is saved.
    public convenience init?(coder: NSCoder) {
        self.init(nil, fileURL: coder.decodeString(forKey: "fileURL").flatMap { URL(string: $0) })
    }
}

/// What the server knows a file by: members of the dictionary that stands in a record.
struct StoredAsset: Sendable, Equatable {
    /// The field that holds it; in any other it has to be uploaded again.
    struct Holder: Sendable, Equatable {
        var record: CKRecordID
        var field: String
    }

    var fileChecksum: String
    /// In bytes.
    var size: Int64
    var wrappingKey: String?
    var referenceChecksum: String?
    /// Only where a file was uploaded, or rereferenced, and not yet saved with a record.
    var receipt: String?
    /// Only in answers; good for some minutes.
    var downloadURL: String?
    var holder: Holder?
}

extension FieldValue {
    /// Files know the field that holds them at the server.
    func held(by record: CKRecordID, _ field: String) -> FieldValue {
        guard hasAssets else { return self }
        return mapAssets { asset in
            guard var stored = asset.stored else { return asset }
            stored.holder = StoredAsset.Holder(record: record, field: field)
            return CKAsset(stored, fileURL: asset.fileURL)
        }
    }

    var hasAssets: Bool {
        switch self {
        case .asset: true
        case .list(let values): if case .asset = values.first { true } else { false }
        default: false
        }
    }

    var assets: [CKAsset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(let values): values.flatMap(\.assets)
        default: []
        }
    }

    func mapAssets(_ change: (CKAsset) -> CKAsset) -> FieldValue {
        switch self {
        case .asset(let asset): .asset(change(asset))
        case .list(let values): .list(values.map { $0.mapAssets(change) })
        default: self
        }
    }
}
