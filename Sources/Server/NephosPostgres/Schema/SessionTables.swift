/// How long sessions last, and which ended before their time (docs/decisions/0048). What was stored before these columns came has
/// nothing in them, and checksums that leave them out: such a session lasts for a fixed time.
let sessionColumns = """
    ALTER TABLE catalog ADD COLUMN ended_sessions bigint NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN kind bigint NOT NULL DEFAULT 0, ADD COLUMN used_at bigint NOT NULL DEFAULT 0,
        ADD COLUMN ends_at bigint NOT NULL DEFAULT 0, ADD COLUMN ended_no bigint NOT NULL DEFAULT 0;

    CREATE INDEX sessions_ended ON sessions (tenant, ended_no, id) WHERE ended_no > 0;
    """
