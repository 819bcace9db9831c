package import NephosStorage
import Synchronization

/// The indexes that writers keep, remembered for databases that were written lately.
///
/// A list holds for one version of its database's head. Only lists of committed states may enter: a version that is
/// rolled back is given out again for another list. So transactions that change lists do not ask here.
package final class KeptIndexLists: Sendable {
    private struct List {
        var version: Int64
        var types: [TypeNumber: KeptIndexes]
    }

    private let lists = Mutex<[DatabaseNumber: List]>([:])

    package init() {}

    /// The indexes by type; nil when the list of this version is not remembered.
    package func list(_ head: HeadRow) -> [TypeNumber: KeptIndexes]? {
        if head.indexVersion == 0 { return [:] }
        return lists.withLock { lists in
            guard let list = lists[head.database], list.version == head.indexVersion else { return nil }
            return list.types
        }
    }

    /// Remembers the list of a head.
    ///
    /// - Returns: ``list(_:)`` from now on.
    package func remember(_ rows: [IndexRow], of head: HeadRow) -> [TypeNumber: KeptIndexes] {
        let types = KeptIndexes.byType(rows)
        lists.withLock { lists in
            if lists.count >= listsMax { lists.removeAll(keepingCapacity: true) }
            lists[head.database] = List(version: head.indexVersion, types: types)
        }
        return types
    }
}

/// Databases whose lists are remembered. One takes a few hundred bytes for each index.
private let listsMax = 512
