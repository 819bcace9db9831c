/// The tables of `nephos.sqlite`: people, and the list of containers. Migrations are only ever added at the end.
extension Migrations {
    static let directory = Migrations(
        name: "directory", steps: [Migration(identifier: "1 directory", sql: directoryTables)])
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
