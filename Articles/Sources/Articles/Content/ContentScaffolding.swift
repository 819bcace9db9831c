import CloudKit

extension CKRecord.RecordType {
    static let publishedChibi = "PublishedChibi"
}

/// Whose method the article's fetch is.
final class CuratedCollectionsManager {
    let container = CKContainer.default()
    let cloudOperationQueue = OperationQueue()

    /// All that a pseudo-random sort descriptor can be here: a sortable field and a direction.
    static let sortings = ["publishedAt", "modificationDate"].flatMap { field in
        [false, true].map { (field: field, isAscending: $0) }
    }
    /// The script chooses it, so that it can check the order.
    var sorting = sortings[0]

    /// The article does not show its own.
    func randomSortDescriptors() -> [NSSortDescriptor] {
        [NSSortDescriptor(key: sorting.field, ascending: sorting.isAscending)]
    }
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
