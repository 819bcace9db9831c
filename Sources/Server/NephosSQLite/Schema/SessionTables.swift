/// How long sessions last, and which were ended early (docs/decisions/0048). In rows that were stored before these columns
/// were added, they are 0, and the checksum does not cover them: such a session lasts for a fixed time.
let sessionColumns = """
    ALTER TABLE catalog ADD COLUMN ended_sessions INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN ends_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN ended_no INTEGER NOT NULL DEFAULT 0;

    CREATE INDEX sessions_ended ON sessions (ended_no, id) WHERE ended_no > 0;
    """
