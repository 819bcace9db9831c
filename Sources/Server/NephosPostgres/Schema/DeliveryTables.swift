/// Tables of devices, of notifications to be sent to them, and of the outcomes (docs/decisions/0006). `db` is the home of the
/// device; `source_db` is the number of a database within the tenant.
let deliveryTables = """
    CREATE TABLE devices (
        db bigint NOT NULL,
        user_id bytea NOT NULL,
        id bytea NOT NULL,
        channel bigint NOT NULL,
        client text NOT NULL,
        development bigint NOT NULL,
        address text NOT NULL,
        secret bytea NOT NULL,
        created_at bigint NOT NULL,
        used_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, user_id, id)
    );

    CREATE INDEX devices_by_id ON devices ((db >> 40), id);
    CREATE INDEX devices_by_use ON devices ((db >> 40), channel, used_at);

    CREATE TABLE deliveries (
        db bigint NOT NULL,
        device bytea NOT NULL,
        source_db bigint NOT NULL,
        subscription bytea NOT NULL,
        slot bigint NOT NULL,
        user_id bytea NOT NULL,
        channel bigint NOT NULL,
        seq bigint NOT NULL,
        changes bigint NOT NULL,
        created_at bigint NOT NULL,
        due_at bigint NOT NULL,
        leased_until bigint NOT NULL,
        attempts bigint NOT NULL,
        collapse_id bytea NOT NULL,
        checksum bigint NOT NULL,
        payload bytea NOT NULL,
        PRIMARY KEY (db, device, source_db, subscription, slot)
    );

    CREATE INDEX deliveries_to_send ON deliveries ((db >> 40), channel, due_at, created_at) WHERE channel <> 1;

    CREATE TABLE push_log (
        db bigint NOT NULL,
        at bigint NOT NULL,
        nonce bigint NOT NULL,
        user_id bytea NOT NULL,
        device bytea NOT NULL,
        channel bigint NOT NULL,
        source_db bigint NOT NULL,
        subscription bytea NOT NULL,
        outcome bigint NOT NULL,
        changes bigint NOT NULL,
        attempt bigint NOT NULL,
        milliseconds bigint NOT NULL,
        answer text NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, at, nonce)
    );

    CREATE INDEX push_log_by_time ON push_log ((db >> 40), at, nonce);
    CREATE INDEX push_log_by_user ON push_log ((db >> 40), user_id, at, nonce);

    CREATE TABLE push_keys (
        tenant bigint NOT NULL,
        development bigint NOT NULL,
        team text NOT NULL,
        key_id text NOT NULL,
        topic text NOT NULL,
        pem text NOT NULL,
        created_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, development)
    );

    ALTER TABLE deliveries SET (fillfactor = 70);
    ALTER TABLE devices ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE deliveries ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE push_log ALTER COLUMN db SET (n_distinct = 1);
    """
