/// Tables of subscriptions and of the changes that they watch (docs/decisions/0006).
///
/// The table `events` of an earlier version is kept, for servers of the previous version that still run: nothing was ever written
/// into it. A copy in `event_records` keeps the checksum that the record had, so that earlier damage is still detected.
let subscriptionTables = """
    CREATE TABLE subscriptions (
        db bigint NOT NULL,
        user_id bytea NOT NULL,
        name bytea NOT NULL,
        seq bigint NOT NULL,
        kind bigint NOT NULL,
        created_at bigint NOT NULL,
        checksum bigint NOT NULL,
        dictionary bytea NOT NULL,
        PRIMARY KEY (db, user_id, name)
    );

    CREATE UNIQUE INDEX subscriptions_by_seq ON subscriptions (db, seq);

    CREATE TABLE change_events (
        db bigint NOT NULL,
        seq bigint NOT NULL,
        zone_no bigint NOT NULL,
        kind bigint NOT NULL,
        name bytea NOT NULL,
        client text NOT NULL,
        has_record bigint NOT NULL,
        told_to bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, seq)
    );

    CREATE TABLE event_records (
        db bigint NOT NULL,
        event_seq bigint NOT NULL,
    \(recordColumns)
        checksum bigint NOT NULL,
        fields bytea NOT NULL,
        PRIMARY KEY (db, event_seq)
    );

    ALTER TABLE subscriptions ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE change_events ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE event_records ALTER COLUMN db SET (n_distinct = 1);

    INSERT INTO subscriptions (db, user_id, name, seq, kind, created_at, checksum, dictionary)
        SELECT d, convert_to('user ' || s % 20, 'UTF8'), convert_to('name ' || s, 'UTF8'), s, 1, s, s,
            convert_to(repeat('x', 300), 'UTF8')
        FROM generate_series(1, 10) AS d, generate_series(1, 100) AS s;

    ANALYZE subscriptions;

    TRUNCATE subscriptions;
    """
