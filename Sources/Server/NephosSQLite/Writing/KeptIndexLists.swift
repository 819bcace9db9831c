import CloudKitWire
import NephosQueries
import NephosStorage

/// The indexes that writers keep, remembered for databases that were written lately.
///
/// A list holds for one version of its database's head. Only lists of committed states may enter: a version that is
/// rolled back is given out again for another list. So transactions that change lists do not ask here.
final class KeptIndexLists {
    private struct List {
        var version: Int64
        var types: [TypeNumber: KeptIndexes]
    }

    private let reader: IndexReader
    private var lists: [DatabaseNumber: List] = [:]

    init(_ connection: Connection) { reader = IndexReader(connection) }

    /// The indexes of a type; nil where there are none.
    func indexes(of type: TypeNumber, in head: HeadRow) throws(StorageError) -> KeptIndexes? {
        guard head.indexVersion > 0 else { return nil }
        if let list = lists[head.database], list.version == head.indexVersion { return list.types[type] }
        let list = List(
            version: head.indexVersion, types: KeptIndexes.byType(try reader.list(head.database)))
        if lists.count >= listsMax { lists.removeAll(keepingCapacity: true) }
        lists[head.database] = list
        return list.types[type]
    }
}

/// Databases whose lists are remembered. One takes a few hundred bytes for each index.
private let listsMax = 512
