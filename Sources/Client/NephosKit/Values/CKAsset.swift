import CloudKitWire
public import Foundation

/// A file as the value of a field. Before it is saved, it is a file on this machine. After it was fetched, the server
/// stores the file, and this machine has a copy.
public final class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The file to save, or the copy of a fetched file. The copy is in the cache and may be deleted when the cache is
    /// full; move or copy a file that you want to keep. Nil if only the server has the file, as in the server's record
    /// of a conflict.
    public let fileURL: URL?
    /// The server's identification of the file; nil until the file was saved.
    let stored: StoredAsset?

    /// Creates a field value from a file on this machine. The file is read and sent when the record is saved. A server
    /// accepts up to 50 MB, unless its operator permits more.
    ///
    /// - Parameter fileURL: The file. If it is missing when the record is saved, the record fails with
    ///   `assetFileNotFound`; if it changes during the upload, with `assetFileModified`.
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

    /// Writes the location of the file, but neither its content nor the server's identification of it.
    public func encode(with coder: NSCoder) {
        coder.encodeContent(forKey: "CKAsset") { $0.archive("fileURL", fileURL?.absoluteString) }
    }

    /// Reads the location of a file; nil if the archive does not contain a file. The file is sent again when a record
    /// that contains it is saved.
    public convenience init?(coder: NSCoder) {
        var url: String?
        let isRead = coder.decodeContent(forKey: "CKAsset") { reader, key throws(WireError) in
            if case "fileURL" = key { url = try reader.archived() }
        }
        guard isRead else { return nil }
        self.init(nil, fileURL: url.flatMap { URL(string: $0) })
    }
}

/// The server's identification of a file: the members of the file's dictionary in a record.
struct StoredAsset: Sendable, Equatable {
    /// The field that holds the file. To be saved in any other field, the file must be uploaded again.
    struct Holder: Sendable, Equatable {
        var record: CKRecordID
        var field: String
    }

    var fileChecksum: String
    /// In bytes.
    var size: Int64
    var wrappingKey: String?
    var referenceChecksum: String?
    /// Present only if the file was uploaded or rereferenced, and not yet saved with a record.
    var receipt: String?
    /// Present only in responses; valid for some minutes.
    var downloadURL: String?
    var holder: Holder?
}

extension FieldValue {
    /// Returns the value with the field that holds it at the server noted in each file.
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
