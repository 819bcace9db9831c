import NephosStorage

/// The tables of `nephos.sqlite`: people, the list of containers, and background work. Migrations are only ever appended.
extension Migrations {
    /// - Parameter tables: Tables that no step below creates are created from their descriptions.
    static func directory(_ tables: TableSet) -> Migrations {
        Migrations(
            name: "directory",
            steps: [
                Migration(identifier: "1 directory", sql: directoryTables),
                Migration(identifier: "2 jobs", sql: jobTable),
                Migration(identifier: "3 secrets", sql: secretNames),
                Migration(identifier: "4 copies", sql: copySource),
            ]
                + tables.addedToDirectory.flatMap { $0.table.steps }.map {
                    Migration(identifier: $0.name, sql: TableSQL.createStatements($0))
                })
    }
}

private let directoryTables = """
    CREATE TABLE meta (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        digest INTEGER NOT NULL
    ) STRICT;

    INSERT INTO meta (id, digest) VALUES (1, 0);

    CREATE TABLE accounts (
        id TEXT PRIMARY KEY NOT NULL,
        email TEXT NOT NULL UNIQUE,
        given_name TEXT NOT NULL,
        family_name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE containers (
        id TEXT PRIMARY KEY NOT NULL,
        created_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

private let jobTable = """
    CREATE TABLE jobs (
        name TEXT NOT NULL,
        subject TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        again_at INTEGER,
        holder INTEGER NOT NULL DEFAULT 0,
        leased_to INTEGER NOT NULL DEFAULT 0,
        progress BLOB NOT NULL DEFAULT x'',
        PRIMARY KEY (name, subject)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX jobs_by_due ON jobs (name, due_at, subject);
    """

/// What a folder is the unfinished copy of (``CopyStore``); 0 for none.
private let copySource = "ALTER TABLE meta ADD COLUMN copied_from INTEGER NOT NULL DEFAULT 0"
