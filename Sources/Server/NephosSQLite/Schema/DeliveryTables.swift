/// Tables of devices, of notifications to be sent to them, and of the outcomes (docs/decisions/0006).
let deliveryTables = """
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
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, user_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX devices_by_id ON devices (id);
    CREATE INDEX devices_by_use ON devices (channel, used_at);

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

    CREATE INDEX deliveries_to_send ON deliveries (channel, due_at, created_at) WHERE channel <> 1;

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

    CREATE INDEX push_log_by_user ON push_log (user_id, at, nonce);

    CREATE TABLE push_keys (
        development INTEGER PRIMARY KEY,
        team TEXT NOT NULL,
        key_id TEXT NOT NULL,
        topic TEXT NOT NULL,
        pem TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;
    """
