package import NephosStorage
import Synchronization

/// A cache of the indexes that writers update, for recently written databases.
///
/// A list is valid for one version of its database's head. Only lists of committed states may be cached: a version that is rolled
/// back is reused for another list. So transactions that change lists do not use it.
package final class MaintainedIndexLists: Sendable {
    private struct List {
        var version: Int64
        var types: [TypeNumber: MaintainedIndexes]
    }

    private let lists = Mutex<[DatabaseNumber: List]>([:])

    package init() {}

    /// The indexes by type; nil if the list of this version is not cached.
    package func list(_ head: HeadRow) -> [TypeNumber: MaintainedIndexes]? {
        if head.indexVersion == 0 { return [:] }
        return lists.withLock { lists in
            guard let list = lists[head.database], list.version == head.indexVersion else { return nil }
            return list.types
        }
    }

    /// Caches the list of a head.
    ///
    /// - Returns: ``list(_:)`` from now on.
    package func remember(_ rows: [IndexRow], of head: HeadRow) -> [TypeNumber: MaintainedIndexes] {
        let types = MaintainedIndexes.byType(rows)
        lists.withLock { lists in
            if lists.count >= listsMax { lists.removeAll(keepingCapacity: true) }
            lists[head.database] = List(version: head.indexVersion, types: types)
        }
        return types
    }
}

/// The maximum number of cached lists. One takes a few hundred bytes per index.
private let listsMax = 512
