CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1 directory');
INSERT INTO grdb_migrations VALUES('2 jobs');
INSERT INTO grdb_migrations VALUES('3 secrets');
INSERT INTO grdb_migrations VALUES('table scratch_shelves 1');
CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    digest INTEGER NOT NULL
, secret_key INTEGER NOT NULL DEFAULT 0, secret_next INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO meta VALUES(1,6579370956150957366,-1544754262731237504,0);
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
INSERT INTO containers VALUES('iCloud.org.example.conformance',1,-861477520776613697);
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
CREATE TABLE scratch_shelves (
    name TEXT NOT NULL,
    rank INTEGER NOT NULL,
    secret BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
INSERT INTO scratch_shelves VALUES('hand 0',24,X'4e655331ea8fee2eb8a257800b8639443e638bad697dbd4bd426d74c03734f198135847d8a49cda193',-6452845789916202898);
INSERT INTO scratch_shelves VALUES('hand 1',25,X'4e655331ea8fee2eb8a25780533fd3c3ea7c2dcaabcefc70e1f7defbcfdc00528ccb275d7392b24d6d',-543330105355180181);
INSERT INTO scratch_shelves VALUES('hand 2',26,X'4e655331ea8fee2eb8a257808a719d0487a85fe91b5d7f5ccb5eac5fa29eceeff9d5beab43aec81e42',-470836618527545837);
INSERT INTO scratch_shelves VALUES('hand 3',27,X'4e655331ea8fee2eb8a25780bdc7bf73450a4661c58b84b47b9916f085e4fbaa293b67cd9c2405c497',-3538883082983051637);
CREATE INDEX jobs_by_due ON jobs (name, due_at, subject);
CREATE UNIQUE INDEX scratch_shelves_by_rank ON scratch_shelves (rank);
