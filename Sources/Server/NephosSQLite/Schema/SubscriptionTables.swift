/// Tables of subscriptions and of the changes that they watch (docs/decisions/0006).
///
/// The table `events` of an earlier version is kept, for servers of the previous version that still run: nothing was ever written
/// into it. A copy in `event_records` keeps the checksum that the record had, so that earlier damage is still detected.
let subscriptionTables = """
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

    CREATE UNIQUE INDEX subscriptions_by_seq ON subscriptions (db, seq);

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
    \(recordColumns)
        checksum INTEGER NOT NULL,
        fields TEXT NOT NULL,
        PRIMARY KEY (db, event_seq)
    ) STRICT, WITHOUT ROWID;
    """
