CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1 catalog');
INSERT INTO grdb_migrations VALUES('1 databases');
INSERT INTO grdb_migrations VALUES('1 records');
INSERT INTO grdb_migrations VALUES('2 indexes');
INSERT INTO grdb_migrations VALUES('2 trash');
INSERT INTO grdb_migrations VALUES('2 catalog');
INSERT INTO grdb_migrations VALUES('3 subscriptions');
INSERT INTO grdb_migrations VALUES('3 deliveries');
INSERT INTO grdb_migrations VALUES('4 assets');
INSERT INTO grdb_migrations VALUES('5 client tokens');
INSERT INTO grdb_migrations VALUES('6 record keys');
INSERT INTO grdb_migrations VALUES('7 credentials');
INSERT INTO grdb_migrations VALUES('8 secrets');
INSERT INTO grdb_migrations VALUES('8 digests');
INSERT INTO grdb_migrations VALUES('table scratch_parts 1');
INSERT INTO grdb_migrations VALUES('table scratch 1');
INSERT INTO grdb_migrations VALUES('table scratch_badges 1');
INSERT INTO grdb_migrations VALUES('table scratch_notes 1');
CREATE TABLE catalog (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    container TEXT NOT NULL,
    environment TEXT NOT NULL,
    lanes INTEGER NOT NULL,
    last_db INTEGER NOT NULL,
    signing_key BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    checksum INTEGER NOT NULL
, last_type INTEGER NOT NULL DEFAULT 0, secret_key INTEGER NOT NULL DEFAULT 0, file_key BLOB NOT NULL DEFAULT x'', file_place INTEGER NOT NULL DEFAULT 0, files_since INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO catalog VALUES(1,1,'iCloud.org.example.conformance','production',1,1,X'4e655331ea8fee2eb8a257805eb3283943d15c1d2747e4e8e2320155e29cb03cd1523bba9ca9e704e6c0baca029b5b8dc98c33f0894c5c48f045f687db7bcc0c51ec83f5c3fa4b87',1,0,1486244650540262189,8379157145157527502,2,-1544754262731237504,X'0808080808080808080808080808080808080808080808080808080808080808',0,0);
CREATE TABLE types (
    type INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    epoch INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
INSERT INTO types VALUES(1,'Note',0,-6347484847799906939);
INSERT INTO types VALUES(2,'Task',0,4025938076240891017);
CREATE TABLE fields (
    type INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind INTEGER NOT NULL,
    encrypted INTEGER NOT NULL,
    options INTEGER NOT NULL,
    checksum INTEGER NOT NULL, epoch INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (type, name)
) STRICT, WITHOUT ROWID;
INSERT INTO fields VALUES(1,'text',1,0,1,2405871387829912901,0);
CREATE TABLE roles (
    role INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    checksum INTEGER NOT NULL
) STRICT;
INSERT INTO roles VALUES(1,'_world',6379349984233484890);
INSERT INTO roles VALUES(2,'_icloud',-6863190986367640190);
INSERT INTO roles VALUES(3,'_creator',-7781070958848137607);
CREATE TABLE grants (
    type INTEGER NOT NULL,
    role INTEGER NOT NULL,
    rights INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (type, role)
) STRICT, WITHOUT ROWID;
INSERT INTO grants VALUES(1,1,1,-8779912078457893499);
CREATE TABLE api_tokens (
    hash BLOB PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE server_keys (
    id TEXT PRIMARY KEY NOT NULL,
    public_key BLOB NOT NULL,
    user_id BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
, name TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
    id BLOB PRIMARY KEY NOT NULL,
    user_id BLOB NOT NULL,
    private_db INTEGER NOT NULL,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
    id BLOB PRIMARY KEY NOT NULL,
    source INTEGER NOT NULL,
    source_id TEXT NOT NULL,
    private_db INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (source, source_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE heads (
    db INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    owner BLOB,
    seq INTEGER NOT NULL,
    last_record_no INTEGER NOT NULL,
    last_zone_no INTEGER NOT NULL,
    last_time INTEGER NOT NULL,
    purged_seq INTEGER NOT NULL,
    watchers INTEGER NOT NULL,
    records INTEGER NOT NULL,
    record_bytes INTEGER NOT NULL,
    tombstones INTEGER NOT NULL,
    refs INTEGER NOT NULL,
    events INTEGER NOT NULL,
    zones INTEGER NOT NULL,
    live_zones INTEGER NOT NULL,
    cascades INTEGER NOT NULL,
    checksum INTEGER NOT NULL
, index_version INTEGER NOT NULL DEFAULT 0, trash INTEGER NOT NULL DEFAULT 0, assets INTEGER NOT NULL DEFAULT 0, asset_bytes INTEGER NOT NULL DEFAULT 0, rows_digest INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO heads VALUES(1,0,NULL,1,0,1,1,0,0,0,0,0,0,0,1,1,0,-1545730167923177859,0,0,0,0,0);
CREATE TABLE zones (
    db INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    name TEXT NOT NULL,
    state INTEGER NOT NULL,
    created_seq INTEGER NOT NULL,
    changed_seq INTEGER NOT NULL,
    purged_seq INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL, client_token BLOB,
    PRIMARY KEY (db, zone_no)
) STRICT, WITHOUT ROWID;
INSERT INTO zones VALUES(1,1,'_defaultZone',0,1,1,0,1,0,-6302830096402139295,NULL);
CREATE TABLE events (
    db INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    client TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    old_fields TEXT,
    new_fields TEXT,
    PRIMARY KEY (db, seq, zone_no, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE tombstones (
    db INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    type INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, zone_no, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE refs (
    db INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    target TEXT NOT NULL,
    kind INTEGER NOT NULL,
    record_no INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, zone_no, target, kind, record_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE cascades (
    db INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    target TEXT NOT NULL,
    seq INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, zone_no, target)
) STRICT, WITHOUT ROWID;
CREATE TABLE index_rows (
    db INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    index_no INTEGER NOT NULL,
    key BLOB NOT NULL,
    record_no INTEGER NOT NULL,
    PRIMARY KEY (db, zone_no, index_no, key, record_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE indexes (
    db INTEGER NOT NULL,
    index_no INTEGER NOT NULL,
    type INTEGER NOT NULL,
    state INTEGER NOT NULL,
    built_to INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    shape BLOB NOT NULL,
    PRIMARY KEY (db, index_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE trash (
    db INTEGER NOT NULL,
    record_no INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tag_seq INTEGER NOT NULL,
    type INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    created_by BLOB NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by BLOB NOT NULL,
    parent TEXT,
    share_root INTEGER,
    flags INTEGER NOT NULL,
    fields_epoch INTEGER NOT NULL,
    ref_count INTEGER NOT NULL,
    size INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL,
    deleted_by BLOB,
    checksum INTEGER NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (db, record_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE subscriptions (
    db INTEGER NOT NULL,
    user_id BLOB NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    dictionary TEXT NOT NULL,
    PRIMARY KEY (db, user_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE change_events (
    db INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    client TEXT NOT NULL,
    has_record INTEGER NOT NULL,
    told_to INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE event_records (
    db INTEGER NOT NULL,
    event_seq INTEGER NOT NULL,
    record_no INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tag_seq INTEGER NOT NULL,
    type INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    created_by BLOB NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by BLOB NOT NULL,
    parent TEXT,
    share_root INTEGER,
    flags INTEGER NOT NULL,
    fields_epoch INTEGER NOT NULL,
    ref_count INTEGER NOT NULL,
    size INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (db, event_seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE devices (
    db INTEGER NOT NULL,
    user_id BLOB NOT NULL,
    id BLOB NOT NULL,
    channel INTEGER NOT NULL,
    client TEXT NOT NULL,
    development INTEGER NOT NULL,
    address TEXT NOT NULL,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL, session BLOB NOT NULL DEFAULT x'', token BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (db, user_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE deliveries (
    db INTEGER NOT NULL,
    device BLOB NOT NULL,
    source_db INTEGER NOT NULL,
    subscription TEXT NOT NULL,
    slot INTEGER NOT NULL,
    user_id BLOB NOT NULL,
    channel INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    leased_until INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    collapse_id TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (db, device, source_db, subscription, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE push_log (
    db INTEGER NOT NULL,
    at INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    user_id BLOB NOT NULL,
    device BLOB NOT NULL,
    channel INTEGER NOT NULL,
    source_db INTEGER NOT NULL,
    subscription TEXT NOT NULL,
    outcome INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    answer TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (at, nonce)
) STRICT, WITHOUT ROWID;
CREATE TABLE push_keys (
    development INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    key_id TEXT NOT NULL,
    topic TEXT NOT NULL,
    pem TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE assets (
    db INTEGER NOT NULL,
    address BLOB NOT NULL,
    nonce INTEGER NOT NULL,
    size INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    released_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, address)
) STRICT, WITHOUT ROWID;
CREATE TABLE asset_refs (
    db INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    record_no INTEGER NOT NULL,
    address BLOB NOT NULL,
    uses INTEGER NOT NULL,
    size INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, zone_no, record_no, address)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS "records" (
    id INTEGER PRIMARY KEY,
    db INTEGER NOT NULL,
    record_no INTEGER NOT NULL,
    zone_no INTEGER NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tag_seq INTEGER NOT NULL,
    type INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    created_by BLOB NOT NULL,
    modified_at INTEGER NOT NULL,
    modified_by BLOB NOT NULL,
    parent TEXT,
    share_root INTEGER,
    flags INTEGER NOT NULL,
    fields_epoch INTEGER NOT NULL,
    ref_count INTEGER NOT NULL,
    size INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    fields TEXT NOT NULL,
    CHECK (id = (db << 36 | record_no) AND db BETWEEN 1 AND 134217727 AND record_no BETWEEN 1 AND 68719476735)
) STRICT;
CREATE TABLE credential_uses (
    kind INTEGER NOT NULL,
    id BLOB NOT NULL,
    day INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE scratch_parts (
    db INTEGER NOT NULL,
    whole BLOB NOT NULL,
    number INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, whole, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE scratch (
    db INTEGER NOT NULL,
    id BLOB NOT NULL,
    user_id BLOB NOT NULL,
    label TEXT NOT NULL,
    kind INTEGER NOT NULL,
    is_open INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    note TEXT NOT NULL,
    content TEXT NOT NULL,
    secret BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE scratch_badges (
    db INTEGER NOT NULL,
    user_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (db, user_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE scratch_notes (
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX zones_live ON zones (db, name) WHERE state = 0;
CREATE INDEX zones_by_change ON zones (db, changed_seq);
CREATE INDEX zones_dead ON zones (db, zone_no) WHERE state = 1;
CREATE INDEX zones_swept ON zones (deleted_at, db, zone_no) WHERE state = 2;
CREATE UNIQUE INDEX tombstones_by_name ON tombstones (db, zone_no, name);
CREATE INDEX tombstones_by_time ON tombstones (deleted_at);
CREATE INDEX refs_by_record ON refs (db, record_no);
CREATE INDEX indexes_unfinished ON indexes (state, db, index_no) WHERE state <> 1;
CREATE INDEX trash_newest ON trash (db, deleted_at, record_no);
CREATE INDEX trash_by_name ON trash (db, name, deleted_at, record_no);
CREATE INDEX trash_by_time ON trash (deleted_at, db, record_no);
CREATE UNIQUE INDEX subscriptions_by_seq ON subscriptions (db, seq);
CREATE INDEX devices_by_id ON devices (id);
CREATE INDEX devices_by_use ON devices (channel, used_at);
CREATE INDEX deliveries_to_send ON deliveries (channel, due_at, created_at) WHERE channel <> 1;
CREATE INDEX push_log_by_user ON push_log (user_id, at, nonce);
CREATE INDEX assets_released ON assets (released_at, db, address) WHERE released_at > 0;
CREATE INDEX asset_refs_by_address ON asset_refs (db, address);
CREATE UNIQUE INDEX records_by_name ON records (db, zone_no, name);
CREATE UNIQUE INDEX records_by_seq ON records (db, zone_no, seq);
CREATE INDEX sessions_by_user ON sessions (user_id, expires_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE UNIQUE INDEX scratch_by_label ON scratch (db, label);
CREATE INDEX scratch_by_kind ON scratch (kind, due_at);
CREATE INDEX scratch_by_user ON scratch (user_id);
