import CloudKit

extension CKRecord.RecordType {
    static let publishedChibi = "PublishedChibi"
}

/// Whose method the article's fetch is.
final class CuratedCollectionsManager {
    let container = CKContainer.default()
    let cloudOperationQueue = OperationQueue()

    /// The article's are pseudo-random. These let the script look at the order.
    func randomSortDescriptors() -> [NSSortDescriptor] { [NSSortDescriptor(key: "publishedAt", ascending: false)] }
}

struct PublishedChibi {
    struct Incomplete: Error {}

    let id: String
    /// The file with the drawing.
    let url: URL
    let isValidInCurrentEnvironment = true

    /// Prints what comes, in the order in which it comes.
    init(record: CKRecord) throws {
        id = record.recordID.recordName
        guard let file = (record["entityData"] as? CKAsset)?.fileURL else { throw Incomplete() }
        url = file
        print("candidate", id)
    }
}

extension URL {
    /// In the folder in which the program was started.
    static func publishingStorageURLForItem(with id: String) -> URL { URL(fileURLWithPath: "chosen-\(id)") }
}
