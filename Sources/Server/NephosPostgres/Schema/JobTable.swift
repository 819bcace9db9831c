/// Background work: when it is due, and which process does it (docs/decisions/0019).
let jobTable = """
    CREATE TABLE jobs (
        name text NOT NULL,
        subject text NOT NULL,
        due_at bigint NOT NULL,
        again_at bigint,
        holder bigint NOT NULL DEFAULT 0,
        leased_to bigint NOT NULL DEFAULT 0,
        progress bytea NOT NULL DEFAULT '\\x',
        PRIMARY KEY (name, subject)
    );

    CREATE INDEX jobs_by_due ON jobs (name, due_at, subject);
    """
