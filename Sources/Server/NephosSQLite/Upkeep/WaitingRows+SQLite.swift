package import NephosStorage

extension SQLiteTenantStore {
    package func waitingRows() throws(StorageError) -> WaitingRows {
        try readers.read { reader throws(StorageError) in
            let connection = reader.connection
            var rows = WaitingRows()
            rows.hasDeadZones =
                try connection.number("SELECT 1 FROM zones INDEXED BY zones_dead WHERE state = 1 LIMIT 1") != nil
            rows.hasUnfinishedIndexes =
                try connection.number(
                    "SELECT 1 FROM indexes INDEXED BY indexes_unfinished WHERE state <> 1 LIMIT 1") != nil
            let tombstones = [
                try connection.number(
                    "SELECT deleted_at FROM tombstones INDEXED BY tombstones_by_time ORDER BY deleted_at LIMIT 1"),
                try connection.number(
                    "SELECT deleted_at FROM zones INDEXED BY zones_swept WHERE state = 2 ORDER BY deleted_at LIMIT 1"),
            ]
            rows.tombstone = tombstones.compactMap { $0 }.min()
            rows.trash = try connection.number(
                "SELECT deleted_at FROM trash INDEXED BY trash_by_time ORDER BY deleted_at LIMIT 1")
            rows.releasedFile = try connection.number(
                """
                SELECT released_at FROM assets INDEXED BY assets_released WHERE released_at > 0
                ORDER BY released_at LIMIT 1
                """)
            return rows
        }
    }
}
