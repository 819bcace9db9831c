/// How long sessions last, and which were ended early (docs/decisions/0048). In rows that were stored before these columns
/// were added, they are 0, and the checksum does not cover them: such a session lasts for a fixed time.
let sessionColumns = """
    ALTER TABLE catalog ADD COLUMN ended_sessions bigint NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN kind bigint NOT NULL DEFAULT 0, ADD COLUMN used_at bigint NOT NULL DEFAULT 0,
        ADD COLUMN ends_at bigint NOT NULL DEFAULT 0, ADD COLUMN ended_no bigint NOT NULL DEFAULT 0;

    CREATE INDEX sessions_ended ON sessions (tenant, ended_no, id) WHERE ended_no > 0;
    """
