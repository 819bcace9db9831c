-- A database as a server wrote it, see make-saved-store. The token is of the feed of Mary's zone Shelf, as it was
-- when this had three notes.
-- token: AQEAAAAAAAAAAwAAAAAAAAACAAAAAAAAAAYAAAAAAAAABnX0gxAoSfgTyT/FVmGUdW8=
CREATE SCHEMA nephos;
CREATE TABLE nephos.accounts (
    id text NOT NULL,
    email text NOT NULL,
    given_name text NOT NULL,
    family_name text NOT NULL,
    created_at bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.api_tokens (
    tenant bigint NOT NULL,
    hash bytea NOT NULL,
    name text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.cascades (
    db bigint NOT NULL,
    zone_no bigint NOT NULL,
    target bytea NOT NULL,
    seq bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.cascades ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.cascades ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.catalog (
    tenant bigint NOT NULL,
    version bigint NOT NULL,
    container text NOT NULL,
    environment text NOT NULL,
    lanes bigint NOT NULL,
    last_db bigint NOT NULL,
    last_type bigint NOT NULL,
    signing_key bytea NOT NULL,
    created_at bigint NOT NULL,
    deleted_at bigint NOT NULL,
    digest bigint NOT NULL,
    checksum bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE nephos.containers (
    id text NOT NULL,
    created_at bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.events (
    db bigint NOT NULL,
    seq bigint NOT NULL,
    zone_no bigint NOT NULL,
    kind bigint NOT NULL,
    name bytea NOT NULL,
    client text NOT NULL,
    checksum bigint NOT NULL,
    old_fields bytea,
    new_fields bytea
);
ALTER TABLE ONLY nephos.events ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.events ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.fields (
    tenant bigint NOT NULL,
    type bigint NOT NULL,
    name bytea NOT NULL,
    kind bigint NOT NULL,
    encrypted bigint NOT NULL,
    options bigint NOT NULL,
    epoch bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.grants (
    tenant bigint NOT NULL,
    type bigint NOT NULL,
    role bigint NOT NULL,
    rights bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.heads (
    db bigint NOT NULL,
    kind bigint NOT NULL,
    owner bytea,
    seq bigint NOT NULL,
    last_record_no bigint NOT NULL,
    last_zone_no bigint NOT NULL,
    last_time bigint NOT NULL,
    purged_seq bigint NOT NULL,
    watchers bigint NOT NULL,
    records bigint NOT NULL,
    record_bytes bigint NOT NULL,
    tombstones bigint NOT NULL,
    refs bigint NOT NULL,
    events bigint NOT NULL,
    zones bigint NOT NULL,
    live_zones bigint NOT NULL,
    cascades bigint NOT NULL,
    index_version bigint NOT NULL,
    trash bigint NOT NULL,
    checksum bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE nephos.index_rows (
    db bigint NOT NULL,
    zone_no bigint NOT NULL,
    index_no bigint NOT NULL,
    key bytea NOT NULL,
    record_no bigint NOT NULL
);
ALTER TABLE ONLY nephos.index_rows ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.index_rows ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.indexes (
    db bigint NOT NULL,
    index_no bigint NOT NULL,
    type bigint NOT NULL,
    state bigint NOT NULL,
    built_to bigint NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    checksum bigint NOT NULL,
    shape bytea NOT NULL
);
ALTER TABLE ONLY nephos.indexes ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.meta (
    id bigint NOT NULL,
    digest bigint NOT NULL,
    last_tenant bigint NOT NULL,
    CONSTRAINT meta_id_check CHECK ((id = 1))
);
CREATE TABLE nephos.migrations (
    identifier text NOT NULL,
    done_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE nephos.records (
    db bigint NOT NULL,
    record_no bigint NOT NULL,
    zone_no bigint NOT NULL,
    name bytea NOT NULL,
    seq bigint NOT NULL,
    tag_seq bigint NOT NULL,
    type bigint NOT NULL,
    created_at bigint NOT NULL,
    created_by bytea NOT NULL,
    modified_at bigint NOT NULL,
    modified_by bytea NOT NULL,
    parent bytea,
    share_root bigint,
    flags bigint NOT NULL,
    fields_epoch bigint NOT NULL,
    ref_count bigint NOT NULL,
    size bigint NOT NULL,
    checksum bigint NOT NULL,
    fields bytea NOT NULL
);
ALTER TABLE ONLY nephos.records ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.records ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.refs (
    db bigint NOT NULL,
    zone_no bigint NOT NULL,
    target bytea NOT NULL,
    kind bigint NOT NULL,
    record_no bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.refs ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.refs ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.roles (
    tenant bigint NOT NULL,
    role bigint NOT NULL,
    name bytea NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.server_keys (
    tenant bigint NOT NULL,
    id text NOT NULL,
    public_key bytea NOT NULL,
    user_id bytea NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.sessions (
    tenant bigint NOT NULL,
    id bytea NOT NULL,
    user_id bytea NOT NULL,
    private_db bigint NOT NULL,
    secret bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.sessions ALTER COLUMN tenant SET (n_distinct=1);
CREATE TABLE nephos.tombstones (
    db bigint NOT NULL,
    zone_no bigint NOT NULL,
    seq bigint NOT NULL,
    name bytea NOT NULL,
    type bigint NOT NULL,
    deleted_at bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.tombstones ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.tombstones ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.trash (
    db bigint NOT NULL,
    record_no bigint NOT NULL,
    zone_no bigint NOT NULL,
    name bytea NOT NULL,
    seq bigint NOT NULL,
    tag_seq bigint NOT NULL,
    type bigint NOT NULL,
    created_at bigint NOT NULL,
    created_by bytea NOT NULL,
    modified_at bigint NOT NULL,
    modified_by bytea NOT NULL,
    parent bytea,
    share_root bigint,
    flags bigint NOT NULL,
    fields_epoch bigint NOT NULL,
    ref_count bigint NOT NULL,
    size bigint NOT NULL,
    deleted_at bigint NOT NULL,
    deleted_by bytea,
    checksum bigint NOT NULL,
    fields bytea NOT NULL
);
ALTER TABLE ONLY nephos.trash ALTER COLUMN db SET (n_distinct=1);
ALTER TABLE ONLY nephos.trash ALTER COLUMN zone_no SET (n_distinct=1);
CREATE TABLE nephos.types (
    tenant bigint NOT NULL,
    type bigint NOT NULL,
    name bytea NOT NULL,
    epoch bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.users (
    tenant bigint NOT NULL,
    id bytea NOT NULL,
    source bigint NOT NULL,
    source_id text NOT NULL,
    private_db bigint NOT NULL,
    created_at bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.users ALTER COLUMN tenant SET (n_distinct=1);
CREATE TABLE nephos.zones (
    db bigint NOT NULL,
    zone_no bigint NOT NULL,
    name bytea NOT NULL,
    state bigint NOT NULL,
    created_seq bigint NOT NULL,
    changed_seq bigint NOT NULL,
    purged_seq bigint NOT NULL,
    created_at bigint NOT NULL,
    deleted_at bigint NOT NULL,
    checksum bigint NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE ONLY nephos.zones ALTER COLUMN db SET (n_distinct=1);
INSERT INTO nephos.accounts VALUES ('6782DC89-AB72-4196-961B-A5795569EF85', 'mary@example.org', 'Mary', '', 1795314561400, 8447543454800563322);
INSERT INTO nephos.accounts VALUES ('B21D7F51-DBA1-48C6-9A2C-8C63B3967001', 'john@example.org', 'John', '', 1795314561474, -1844851808349978152);
INSERT INTO nephos.api_tokens VALUES (1, '\xa800d1c51b91ca65d529ebdefaf50e046b01407c10ce68d78155042a137acf06', '', 1795314561821, 0, -2983930508044367632);
INSERT INTO nephos.catalog VALUES (3, 1, 'iCloud.org.example.other', 'development', 1, 1, 1, '\x2fb5fdd4188a41f712d194be0693784704da9a3df74064f97d8be7c180b9332d', 1795314561322, 0, 5465010079283476734, 4485515687120994415);
INSERT INTO nephos.catalog VALUES (4, 1, 'iCloud.org.example.other', 'production', 1, 1, 1, '\xf707ca206cdac2733187b87afcbcc8f545e26d1aa0b9e473bc9c5764150a13d8', 1795314561322, 0, 5465010079283476734, 6725680206711262544);
INSERT INTO nephos.catalog VALUES (2, 2, 'iCloud.org.example.notes', 'production', 1, 2, 3, '\xc44ced4a1392b36fcb85b4b685d90bc3a4443dba057530fad4acac4955bb0d6e', 1795314561263, 0, -2887912396450960426, 6347417792577316055);
INSERT INTO nephos.catalog VALUES (1, 3, 'iCloud.org.example.notes', 'development', 1, 3, 3, '\x2c9240f0c0fd810fa77f5b944fa2b41efcd4e7e4b4d392b1191b58e5ea834600', 1795314561263, 0, 3398807814186364634, -6337506718859879765);
INSERT INTO nephos.containers VALUES ('iCloud.org.example.notes', 1795314561263, -1495122450023713455);
INSERT INTO nephos.containers VALUES ('iCloud.org.example.other', 1795314561322, 2908788785544785213);
INSERT INTO nephos.fields VALUES (1, 1, '\x726f6c6573', 18, 0, 0, 0, 7863060895164267303);
INSERT INTO nephos.fields VALUES (2, 1, '\x726f6c6573', 18, 0, 0, 0, 7863060895164267303);
INSERT INTO nephos.fields VALUES (3, 1, '\x726f6c6573', 18, 0, 0, 0, 7863060895164267303);
INSERT INTO nephos.fields VALUES (4, 1, '\x726f6c6573', 18, 0, 0, 0, 7863060895164267303);
INSERT INTO nephos.fields VALUES (1, 2, '\x5f5f5f7265636f72644944', 6, 0, 1, 0, 1081409876209220745);
INSERT INTO nephos.fields VALUES (1, 2, '\x7469746c65', 1, 0, 3, 0, -488242978229581974);
INSERT INTO nephos.fields VALUES (1, 3, '\x5f5f5f7265636f72644944', 6, 0, 1, 0, -2344868480164470558);
INSERT INTO nephos.fields VALUES (1, 3, '\x626f6f6b', 6, 0, 1, 0, -6881291058940686731);
INSERT INTO nephos.fields VALUES (1, 3, '\x7374617273', 2, 0, 3, 0, -6565989280998386672);
INSERT INTO nephos.fields VALUES (1, 3, '\x74657874', 1, 0, 7, 0, 4740638408846463125);
INSERT INTO nephos.fields VALUES (2, 2, '\x5f5f5f7265636f72644944', 6, 0, 1, 0, 1081409876209220745);
INSERT INTO nephos.fields VALUES (2, 2, '\x7469746c65', 1, 0, 3, 0, -488242978229581974);
INSERT INTO nephos.fields VALUES (2, 3, '\x5f5f5f7265636f72644944', 6, 0, 1, 0, -2344868480164470558);
INSERT INTO nephos.fields VALUES (2, 3, '\x626f6f6b', 6, 0, 1, 0, -6881291058940686731);
INSERT INTO nephos.fields VALUES (2, 3, '\x7374617273', 2, 0, 3, 0, -6565989280998386672);
INSERT INTO nephos.fields VALUES (2, 3, '\x74657874', 1, 0, 7, 0, 4740638408846463125);
INSERT INTO nephos.grants VALUES (1, 1, 1, 1, -8779912078457893499);
INSERT INTO nephos.grants VALUES (1, 1, 3, 4, 5028228055070302682);
INSERT INTO nephos.grants VALUES (2, 1, 1, 1, -8779912078457893499);
INSERT INTO nephos.grants VALUES (2, 1, 3, 4, 5028228055070302682);
INSERT INTO nephos.grants VALUES (3, 1, 1, 1, -8779912078457893499);
INSERT INTO nephos.grants VALUES (3, 1, 3, 4, 5028228055070302682);
INSERT INTO nephos.grants VALUES (4, 1, 1, 1, -8779912078457893499);
INSERT INTO nephos.grants VALUES (4, 1, 3, 4, 5028228055070302682);
INSERT INTO nephos.grants VALUES (1, 2, 1, 1, 3639986746408959421);
INSERT INTO nephos.grants VALUES (1, 2, 2, 2, -3392732530543194238);
INSERT INTO nephos.grants VALUES (1, 2, 3, 4, 6458743321512265574);
INSERT INTO nephos.grants VALUES (1, 2, 2317673019658441, 7, 4440461518456200977);
INSERT INTO nephos.grants VALUES (1, 3, 1, 1, 7402049767696985519);
INSERT INTO nephos.grants VALUES (1, 3, 2, 2, 7645202642443567740);
INSERT INTO nephos.grants VALUES (1, 3, 3, 4, -3050196570413005420);
INSERT INTO nephos.grants VALUES (2, 2, 1, 1, 3639986746408959421);
INSERT INTO nephos.grants VALUES (2, 2, 2, 2, -3392732530543194238);
INSERT INTO nephos.grants VALUES (2, 2, 3, 4, 6458743321512265574);
INSERT INTO nephos.grants VALUES (2, 2, 2317673019658441, 7, 4440461518456200977);
INSERT INTO nephos.grants VALUES (2, 3, 1, 1, 7402049767696985519);
INSERT INTO nephos.grants VALUES (2, 3, 2, 2, 7645202642443567740);
INSERT INTO nephos.grants VALUES (2, 3, 3, 4, -3050196570413005420);
INSERT INTO nephos.heads VALUES (3298534883329, 0, NULL, 1, 0, 1, 1795314561322, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 7032356921538673701);
INSERT INTO nephos.heads VALUES (4398046511105, 0, NULL, 1, 0, 1, 1795314561322, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 7032356921538673701);
INSERT INTO nephos.heads VALUES (1099511627778, 1, '\x85f4015c78b7b25306b2d21935389473', 1, 0, 1, 1795314561728, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 7078693841296563990);
INSERT INTO nephos.heads VALUES (2199023255554, 1, '\x233e60452f22fcc5a56b70185725b95d', 1, 0, 1, 1795314561742, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, -5338642146304951991);
INSERT INTO nephos.heads VALUES (2199023255553, 0, NULL, 2, 1, 1, 1795314561742, 0, 0, 1, 91, 0, 0, 0, 1, 1, 0, 0, 0, 8980468294803976690);
INSERT INTO nephos.heads VALUES (1099511627779, 1, '\x8672a59325fbca029cbf2d822f6f0121', 10, 4, 3, 1795314562297, 0, 0, 3, 687, 1, 2, 0, 3, 2, 0, 0, 0, 3867993968274035058);
INSERT INTO nephos.heads VALUES (1099511627777, 0, NULL, 7, 5, 1, 1795314562168, 0, 0, 4, 223, 1, 0, 0, 1, 1, 0, 2, 1, -8145673338808068571);
INSERT INTO nephos.index_rows VALUES (1099511627777, 1, 1, '\x104279204d6172790001', 3);
INSERT INTO nephos.index_rows VALUES (1099511627777, 1, 1, '\x104279204a6f686e0001', 5);
INSERT INTO nephos.indexes VALUES (1099511627777, 1, 2, 1, 5, 1795314562404, 1795312800000, -6769514798248199951, '\x010000000201050101000000000000000000057469746c65');
INSERT INTO nephos.meta VALUES (1, 8016357981971656928, 4);
INSERT INTO nephos.migrations VALUES ('1 directory', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.migrations VALUES ('1 catalog', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.migrations VALUES ('1 databases', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.migrations VALUES ('1 records', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.migrations VALUES ('1 indexes', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.migrations VALUES ('1 trash', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.migrations VALUES ('1 statistics', '2026-11-22 02:29:21.004056+00');
INSERT INTO nephos.records VALUES (1099511627777, 1, 1, '\x5f3835663430313563373862376232353330366232643231393335333839343733', 2, 2, 1, 1795314561728, '\x85f4015c78b7b25306b2d21935389473', 1795314561728, '\x85f4015c78b7b25306b2d21935389473', NULL, NULL, 0, 0, 0, 91, 2988199344319506839, '\x7b22726f6c6573223a7b2274797065223a22494e5436345f4c495354222c2276616c7565223a5b323331373637333031393635383434315d7d7d');
INSERT INTO nephos.records VALUES (2199023255553, 1, 1, '\x5f3233336536303435326632326663633561353662373031383537323562393564', 2, 2, 1, 1795314561742, '\x233e60452f22fcc5a56b70185725b95d', 1795314561742, '\x233e60452f22fcc5a56b70185725b95d', NULL, NULL, 0, 0, 0, 91, -185790113547295492, '\x7b22726f6c6573223a7b2274797065223a22494e5436345f4c495354222c2276616c7565223a5b323331373637333031393635383434315d7d7d');
INSERT INTO nephos.records VALUES (1099511627777, 2, 1, '\x5f3836373261353933323566626361303239636266326438323266366630313231', 3, 3, 1, 1795314561892, '\x8672a59325fbca029cbf2d822f6f0121', 1795314561892, '\x8672a59325fbca029cbf2d822f6f0121', NULL, NULL, 0, 0, 0, 35, -5236291268897522265, '\x7b7d');
INSERT INTO nephos.records VALUES (1099511627777, 3, 1, '\x6d696e65', 4, 4, 2, 1795314562116, '\x8672a59325fbca029cbf2d822f6f0121', 1795314562116, '\x8672a59325fbca029cbf2d822f6f0121', NULL, NULL, 0, 0, 0, 49, -2816444097557816307, '\x7b227469746c65223a7b2274797065223a22535452494e47222c2276616c7565223a224279204d617279227d7d');
INSERT INTO nephos.records VALUES (1099511627777, 5, 1, '\x686973', 6, 6, 2, 1795314562149, '\x85f4015c78b7b25306b2d21935389473', 1795314562149, '\x85f4015c78b7b25306b2d21935389473', NULL, NULL, 0, 0, 0, 48, 971915207269563430, '\x7b227469746c65223a7b2274797065223a22535452494e47222c2276616c7565223a224279204a6f686e227d7d');
INSERT INTO nephos.records VALUES (1099511627779, 1, 2, '\x626f6f6b', 4, 4, 3, 1795314562206, '\x8672a59325fbca029cbf2d822f6f0121', 1795314562206, '\x8672a59325fbca029cbf2d822f6f0121', NULL, NULL, 0, 0, 0, 88, 7024787550306860553, '\x7b227374617273223a7b2274797065223a22494e543634222c2276616c7565223a357d2c2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a224672616e6b656e737465696e227d7d');
INSERT INTO nephos.records VALUES (1099511627779, 2, 2, '\x70616765', 8, 8, 3, 1795314562206, '\x8672a59325fbca029cbf2d822f6f0121', 1795314562253, '\x8672a59325fbca029cbf2d822f6f0121', NULL, NULL, 0, 0, 1, 303, 5663631602784702464, '\x7b22626f6f6b223a7b2274797065223a225245464552454e4345222c2276616c7565223a7b22616374696f6e223a224e4f4e45222c227265636f72644e616d65223a22626f6f6b222c227a6f6e654944223a7b226f776e65725265636f72644e616d65223a225f3836373261353933323566626361303239636266326438323266366630313231222c227a6f6e654e616d65223a225368656c66222c227a6f6e6554797065223a22524547554c41525f435553544f4d5f5a4f4e45227d7d7d2c227374617273223a7b2274797065223a22494e543634222c2276616c7565223a347d2c2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a22497420776173206f6e206120647265617279206e69676874206f66204e6f76656d626572227d7d');
INSERT INTO nephos.records VALUES (1099511627779, 4, 2, '\x6c61746572', 7, 7, 3, 1795314562253, '\x8672a59325fbca029cbf2d822f6f0121', 1795314562253, '\x8672a59325fbca029cbf2d822f6f0121', NULL, NULL, 0, 0, 1, 296, -3567750754408701467, '\x7b22626f6f6b223a7b2274797065223a225245464552454e4345222c2276616c7565223a7b22616374696f6e223a2244454c4554455f53454c46222c227265636f72644e616d65223a22626f6f6b222c227a6f6e654944223a7b226f776e65725265636f72644e616d65223a225f3836373261353933323566626361303239636266326438323266366630313231222c227a6f6e654e616d65223a225368656c66222c227a6f6e6554797065223a22524547554c41525f435553544f4d5f5a4f4e45227d7d7d2c227374617273223a7b2274797065223a22494e543634222c2276616c7565223a347d2c2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a2242656175746966756c2c20616e6420686f72726964227d7d');
INSERT INTO nephos.refs VALUES (1099511627779, 2, '\x626f6f6b', 0, 2, -1483115983125913217);
INSERT INTO nephos.refs VALUES (1099511627779, 2, '\x626f6f6b', 1, 4, 4450295913564313628);
INSERT INTO nephos.roles VALUES (1, 1, '\x5f776f726c64', 6379349984233484890);
INSERT INTO nephos.roles VALUES (1, 2, '\x5f69636c6f7564', -6863190986367640190);
INSERT INTO nephos.roles VALUES (1, 3, '\x5f63726561746f72', -7781070958848137607);
INSERT INTO nephos.roles VALUES (2, 1, '\x5f776f726c64', 6379349984233484890);
INSERT INTO nephos.roles VALUES (2, 2, '\x5f69636c6f7564', -6863190986367640190);
INSERT INTO nephos.roles VALUES (2, 3, '\x5f63726561746f72', -7781070958848137607);
INSERT INTO nephos.roles VALUES (3, 1, '\x5f776f726c64', 6379349984233484890);
INSERT INTO nephos.roles VALUES (3, 2, '\x5f69636c6f7564', -6863190986367640190);
INSERT INTO nephos.roles VALUES (3, 3, '\x5f63726561746f72', -7781070958848137607);
INSERT INTO nephos.roles VALUES (4, 1, '\x5f776f726c64', 6379349984233484890);
INSERT INTO nephos.roles VALUES (4, 2, '\x5f69636c6f7564', -6863190986367640190);
INSERT INTO nephos.roles VALUES (4, 3, '\x5f63726561746f72', -7781070958848137607);
INSERT INTO nephos.roles VALUES (1, 2317673019658441, '\x456469746f72', -316660256573720193);
INSERT INTO nephos.roles VALUES (2, 2317673019658441, '\x456469746f72', -316660256573720193);
INSERT INTO nephos.sessions VALUES (1, '\xc36e599f26c1a75cb846e5d3840f3dc3', '\x8672a59325fbca029cbf2d822f6f0121', 3, '\x6956acd7787b47890a310849a5338e4e39b83c253843394a868fe72833bab737', 1795314561892, 1796524161892, 0, 1854183332605976222);
INSERT INTO nephos.sessions VALUES (1, '\x36ea069273255be6bd0ef303438b084f', '\x85f4015c78b7b25306b2d21935389473', 2, '\x88082055f7727622e31b9da7e7fa2db0141e3113543e088eec88f6b7561f8a6f', 1795314561965, 1796524161965, 0, 7416467386075716470);
INSERT INTO nephos.tombstones VALUES (1099511627777, 1, 7, '\x676f6e65', 2, 1795314562168, 769491786882912764);
INSERT INTO nephos.tombstones VALUES (1099511627779, 2, 9, '\x646f6f6d6564', 3, 1795314562277, 8658176075102235500);
INSERT INTO nephos.trash VALUES (1099511627777, 4, 1, '\x676f6e65', 5, 5, 2, 1795314562116, '\x8672a59325fbca029cbf2d822f6f0121', 1795314562116, '\x8672a59325fbca029cbf2d822f6f0121', NULL, NULL, 0, 0, 0, 54, 1795314562168, '\x8672a59325fbca029cbf2d822f6f0121', 6458614618497046617, '\x7b227469746c65223a7b2274797065223a22535452494e47222c2276616c7565223a22496e20746865207472617368227d7d');
INSERT INTO nephos.types VALUES (1, 1, '\x5573657273', 0, -8828198905220458461);
INSERT INTO nephos.types VALUES (2, 1, '\x5573657273', 0, -8828198905220458461);
INSERT INTO nephos.types VALUES (3, 1, '\x5573657273', 0, -8828198905220458461);
INSERT INTO nephos.types VALUES (4, 1, '\x5573657273', 0, -8828198905220458461);
INSERT INTO nephos.types VALUES (1, 2, '\x41727469636c65', 0, -5564617188571056385);
INSERT INTO nephos.types VALUES (1, 3, '\x4e6f7465', 0, 3289927660835553526);
INSERT INTO nephos.types VALUES (2, 2, '\x41727469636c65', 0, -5564617188571056385);
INSERT INTO nephos.types VALUES (2, 3, '\x4e6f7465', 0, 3289927660835553526);
INSERT INTO nephos.users VALUES (1, '\x85f4015c78b7b25306b2d21935389473', 0, 'B21D7F51-DBA1-48C6-9A2C-8C63B3967001', 2, 1795314561728, -624428702492235957);
INSERT INTO nephos.users VALUES (2, '\x233e60452f22fcc5a56b70185725b95d', 0, 'B21D7F51-DBA1-48C6-9A2C-8C63B3967001', 2, 1795314561742, 7710140182018882473);
INSERT INTO nephos.users VALUES (1, '\x8672a59325fbca029cbf2d822f6f0121', 0, '6782DC89-AB72-4196-961B-A5795569EF85', 3, 1795314561892, 5538247671963305827);
INSERT INTO nephos.zones VALUES (3298534883329, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1795314561322, 0, -2468597476714258259);
INSERT INTO nephos.zones VALUES (4398046511105, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1795314561322, 0, -2468597476714258259);
INSERT INTO nephos.zones VALUES (1099511627778, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1795314561728, 0, 4821007549001444855);
INSERT INTO nephos.zones VALUES (2199023255554, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1795314561742, 0, -5351802313416427447);
INSERT INTO nephos.zones VALUES (2199023255553, 1, '\x5f64656661756c745a6f6e65', 0, 1, 2, 0, 1795314561263, 0, -7119007204819436286);
INSERT INTO nephos.zones VALUES (1099511627779, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1795314561892, 0, -5210321552439517089);
INSERT INTO nephos.zones VALUES (1099511627777, 1, '\x5f64656661756c745a6f6e65', 0, 1, 7, 0, 1795314561263, 0, 1557031006179970278);
INSERT INTO nephos.zones VALUES (1099511627779, 2, '\x5368656c66', 0, 2, 9, 0, 1795314562187, 0, -5893955806535413754);
INSERT INTO nephos.zones VALUES (1099511627779, 3, '\x4275726e6564', 1, 3, 10, 0, 1795314562187, 1795314562297, 7772917756274749293);
ALTER TABLE ONLY nephos.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);
ALTER TABLE ONLY nephos.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY nephos.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (tenant, hash);
ALTER TABLE ONLY nephos.cascades
    ADD CONSTRAINT cascades_pkey PRIMARY KEY (db, zone_no, target);
ALTER TABLE ONLY nephos.catalog
    ADD CONSTRAINT catalog_pkey PRIMARY KEY (tenant);
ALTER TABLE ONLY nephos.containers
    ADD CONSTRAINT containers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY nephos.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (db, seq, zone_no, kind, name);
ALTER TABLE ONLY nephos.fields
    ADD CONSTRAINT fields_pkey PRIMARY KEY (tenant, type, name);
ALTER TABLE ONLY nephos.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (tenant, type, role);
ALTER TABLE ONLY nephos.heads
    ADD CONSTRAINT heads_pkey PRIMARY KEY (db);
ALTER TABLE ONLY nephos.index_rows
    ADD CONSTRAINT index_rows_pkey PRIMARY KEY (db, zone_no, index_no, key, record_no);
ALTER TABLE ONLY nephos.indexes
    ADD CONSTRAINT indexes_pkey PRIMARY KEY (db, index_no);
ALTER TABLE ONLY nephos.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (id);
ALTER TABLE ONLY nephos.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (identifier);
ALTER TABLE ONLY nephos.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (db, record_no);
ALTER TABLE ONLY nephos.refs
    ADD CONSTRAINT refs_pkey PRIMARY KEY (db, zone_no, target, kind, record_no);
ALTER TABLE ONLY nephos.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (tenant, role);
ALTER TABLE ONLY nephos.roles
    ADD CONSTRAINT roles_tenant_name_key UNIQUE (tenant, name);
ALTER TABLE ONLY nephos.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY nephos.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY nephos.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (db, zone_no, seq);
ALTER TABLE ONLY nephos.trash
    ADD CONSTRAINT trash_pkey PRIMARY KEY (db, record_no);
ALTER TABLE ONLY nephos.types
    ADD CONSTRAINT types_pkey PRIMARY KEY (tenant, type);
ALTER TABLE ONLY nephos.types
    ADD CONSTRAINT types_tenant_name_key UNIQUE (tenant, name);
ALTER TABLE ONLY nephos.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY nephos.users
    ADD CONSTRAINT users_tenant_source_source_id_key UNIQUE (tenant, source, source_id);
ALTER TABLE ONLY nephos.zones
    ADD CONSTRAINT zones_pkey PRIMARY KEY (db, zone_no);
CREATE UNIQUE INDEX catalog_by_name ON nephos.catalog USING btree (container, environment) WHERE (deleted_at = 0);
CREATE INDEX catalog_deleted ON nephos.catalog USING btree (tenant) WHERE (deleted_at <> 0);
CREATE INDEX indexes_unfinished ON nephos.indexes USING btree (state, db, index_no) WHERE (state <> 1);
CREATE UNIQUE INDEX records_by_name ON nephos.records USING btree (db, zone_no, name);
CREATE UNIQUE INDEX records_by_seq ON nephos.records USING btree (db, zone_no, seq);
CREATE INDEX refs_by_record ON nephos.refs USING btree (db, record_no);
CREATE UNIQUE INDEX tombstones_by_name ON nephos.tombstones USING btree (db, zone_no, name);
CREATE INDEX tombstones_by_time ON nephos.tombstones USING btree (((db >> 40)), deleted_at, db, zone_no, seq);
CREATE INDEX trash_by_name ON nephos.trash USING btree (db, name, deleted_at, record_no);
CREATE INDEX trash_by_time ON nephos.trash USING btree (((db >> 40)), deleted_at, db, record_no);
CREATE INDEX trash_newest ON nephos.trash USING btree (db, deleted_at, record_no);
CREATE INDEX zones_by_change ON nephos.zones USING btree (db, changed_seq);
CREATE INDEX zones_dead ON nephos.zones USING btree (db, zone_no) WHERE (state = 1);
CREATE UNIQUE INDEX zones_live ON nephos.zones USING btree (db, name) WHERE (state = 0);
CREATE INDEX zones_swept ON nephos.zones USING btree (((db >> 40)), deleted_at, db, zone_no) WHERE (state = 2);
