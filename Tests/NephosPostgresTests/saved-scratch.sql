-- A database as a process wrote it that knows the scratch tables, see make-saved-scratch.
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
CREATE TABLE nephos.asset_refs (
    db bigint NOT NULL,
    zone_no bigint NOT NULL,
    record_no bigint NOT NULL,
    address bytea NOT NULL,
    uses bigint NOT NULL,
    size bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.asset_refs ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.assets (
    db bigint NOT NULL,
    address bytea NOT NULL,
    nonce bigint NOT NULL,
    size bigint NOT NULL,
    content_type text NOT NULL,
    created_at bigint NOT NULL,
    released_at bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.assets ALTER COLUMN db SET (n_distinct=1);
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
    checksum bigint NOT NULL,
    secret_key bigint DEFAULT 0 NOT NULL,
    file_key bytea DEFAULT '\x'::bytea NOT NULL,
    file_place bigint DEFAULT 0 NOT NULL,
    files_since bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE nephos.change_events (
    db bigint NOT NULL,
    seq bigint NOT NULL,
    zone_no bigint NOT NULL,
    kind bigint NOT NULL,
    name bytea NOT NULL,
    client text NOT NULL,
    has_record bigint NOT NULL,
    told_to bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.change_events ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.containers (
    id text NOT NULL,
    created_at bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.credential_uses (
    tenant bigint NOT NULL,
    kind bigint NOT NULL,
    id bytea NOT NULL,
    day bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.credential_uses ALTER COLUMN tenant SET (n_distinct=1);
CREATE TABLE nephos.deliveries (
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
    payload bytea NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY nephos.deliveries ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.devices (
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
    session bytea DEFAULT '\x'::bytea NOT NULL,
    token bytea DEFAULT '\x'::bytea NOT NULL
);
ALTER TABLE ONLY nephos.devices ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.event_records (
    db bigint NOT NULL,
    event_seq bigint NOT NULL,
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
ALTER TABLE ONLY nephos.event_records ALTER COLUMN db SET (n_distinct=1);
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
    checksum bigint NOT NULL,
    assets bigint DEFAULT 0 NOT NULL,
    asset_bytes bigint DEFAULT 0 NOT NULL,
    rows_digest bigint DEFAULT 0 NOT NULL
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
CREATE TABLE nephos.jobs (
    name text NOT NULL,
    subject text NOT NULL,
    due_at bigint NOT NULL,
    again_at bigint,
    holder bigint DEFAULT 0 NOT NULL,
    leased_to bigint DEFAULT 0 NOT NULL,
    progress bytea DEFAULT '\x'::bytea NOT NULL
);
CREATE TABLE nephos.meta (
    id bigint NOT NULL,
    digest bigint NOT NULL,
    last_tenant bigint NOT NULL,
    secret_key bigint DEFAULT 0 NOT NULL,
    secret_next bigint DEFAULT 0 NOT NULL,
    CONSTRAINT meta_id_check CHECK ((id = 1))
);
CREATE TABLE nephos.migrations (
    identifier text NOT NULL,
    done_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE nephos.push_keys (
    tenant bigint NOT NULL,
    development bigint NOT NULL,
    team text NOT NULL,
    key_id text NOT NULL,
    topic text NOT NULL,
    pem text NOT NULL,
    created_at bigint NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.push_log (
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
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.push_log ALTER COLUMN db SET (n_distinct=1);
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
CREATE TABLE nephos.scratch (
    db bigint NOT NULL,
    id bytea NOT NULL,
    user_id bytea NOT NULL,
    label bytea NOT NULL,
    kind bigint NOT NULL,
    is_open bigint NOT NULL,
    due_at bigint NOT NULL,
    note text NOT NULL,
    content bytea NOT NULL,
    secret bytea NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.scratch ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.scratch_badges (
    db bigint NOT NULL,
    user_id bytea NOT NULL,
    number bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.scratch_badges ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.scratch_notes (
    tenant bigint NOT NULL,
    name text NOT NULL,
    text bytea NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.scratch_notes ALTER COLUMN tenant SET (n_distinct=1);
CREATE TABLE nephos.scratch_parts (
    db bigint NOT NULL,
    whole bytea NOT NULL,
    number bigint NOT NULL,
    checksum bigint NOT NULL
);
ALTER TABLE ONLY nephos.scratch_parts ALTER COLUMN db SET (n_distinct=1);
CREATE TABLE nephos.scratch_shelves (
    name text NOT NULL,
    rank bigint NOT NULL,
    secret bytea NOT NULL,
    checksum bigint NOT NULL
);
CREATE TABLE nephos.server_keys (
    tenant bigint NOT NULL,
    id text NOT NULL,
    public_key bytea NOT NULL,
    user_id bytea NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint NOT NULL,
    checksum bigint NOT NULL,
    name text DEFAULT ''::text NOT NULL
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
CREATE TABLE nephos.subscriptions (
    db bigint NOT NULL,
    user_id bytea NOT NULL,
    name bytea NOT NULL,
    seq bigint NOT NULL,
    kind bigint NOT NULL,
    created_at bigint NOT NULL,
    checksum bigint NOT NULL,
    dictionary bytea NOT NULL
);
ALTER TABLE ONLY nephos.subscriptions ALTER COLUMN db SET (n_distinct=1);
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
    checksum bigint NOT NULL,
    client_token bytea
)
WITH (fillfactor='50');
ALTER TABLE ONLY nephos.zones ALTER COLUMN db SET (n_distinct=1);
INSERT INTO nephos.catalog VALUES (2, 1, 'iCloud.org.example.conformance', 'production', 1, 1, 2, '\x4e6553319e4bd4dcdc077977a105d5d6a59fefb34a0ce5c46944349687831f860320aaf7ddfe2a6f608cb341b270406f016f8c1e4a58e635587504ecc91ec004d283cda582b7381d', 1, 0, 1486244650540262189, -3555390130062261996, -7040299547414267529, '\x0808080808080808080808080808080808080808080808080808080808080808', 0, 0);
INSERT INTO nephos.catalog VALUES (1, 1, 'iCloud.org.example.conformance', 'development', 1, 3, 2, '\x4e6553319e4bd4dcdc077977d832999f466c23ce1266ededf6b298b00326cf66542c722627eca57ef2bc789ad9fc214b87a02b7c95adf13bfde76c167b795237bccd50ab609ab02f', 1, 0, 1486244650540262189, -2960985567484105197, -7040299547414267529, '\x0808080808080808080808080808080808080808080808080808080808080808', 0, 0);
INSERT INTO nephos.containers VALUES ('iCloud.org.example.conformance', 1, -861477520776613697);
INSERT INTO nephos.fields VALUES (1, 1, '\x74657874', 1, 0, 1, 0, 2405871387829912901);
INSERT INTO nephos.fields VALUES (2, 1, '\x74657874', 1, 0, 1, 0, 2405871387829912901);
INSERT INTO nephos.grants VALUES (1, 1, 1, 1, -8779912078457893499);
INSERT INTO nephos.grants VALUES (2, 1, 1, 1, -8779912078457893499);
INSERT INTO nephos.heads VALUES (1099511627777, 0, NULL, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, -1545730167923177859, 0, 0, 0);
INSERT INTO nephos.heads VALUES (2199023255553, 0, NULL, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, -1545730167923177859, 0, 0, 0);
INSERT INTO nephos.heads VALUES (1099511627778, 1, '\x000000000000000e0000000000000001', 13, 2, 1, 6, 0, 0, 2, 88, 0, 0, 0, 1, 1, 0, 0, 0, -7470583697568917214, 0, 0, 8959546559950604932);
INSERT INTO nephos.heads VALUES (1099511627779, 1, '\x000000000000000e0000000000000002', 13, 2, 1, 6, 0, 0, 2, 88, 0, 0, 0, 1, 1, 0, 0, 0, -5995922843598996477, 0, 0, -6801136511684510019);
INSERT INTO nephos.meta VALUES (1, -8519340701063766558, 2, -7040299547414267529, 0);
INSERT INTO nephos.migrations VALUES ('1 directory', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('1 catalog', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('1 databases', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('1 records', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('1 indexes', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('1 trash', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('1 statistics', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('2 subscriptions', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('2 deliveries', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('3 assets', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('4 client tokens', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('5 credentials', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('6 jobs', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('7 secrets', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('7 digests', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('table scratch_parts 1', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('table scratch 1', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('table scratch_badges 1', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('table scratch_notes 1', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.migrations VALUES ('table scratch_shelves 1', '2026-11-25 04:36:57.310182+00');
INSERT INTO nephos.records VALUES (1099511627778, 1, 1, '\x68616e642030', 12, 12, 1, 1, '\x000000000000000e0000000000000001', 6, '\x000000000000000e0000000000000001', NULL, NULL, 0, 0, 0, 44, -8402262169177348515, '\x7b2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a2236227d7d');
INSERT INTO nephos.records VALUES (1099511627778, 2, 1, '\x68616e642032', 13, 13, 1, 1, '\x000000000000000e0000000000000001', 6, '\x000000000000000e0000000000000001', NULL, NULL, 0, 0, 0, 44, 4244210452230559732, '\x7b2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a2236227d7d');
INSERT INTO nephos.records VALUES (1099511627779, 1, 1, '\x68616e642031', 12, 12, 1, 1, '\x000000000000000e0000000000000002', 6, '\x000000000000000e0000000000000002', NULL, NULL, 0, 0, 0, 44, 3052789986784348191, '\x7b2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a2236227d7d');
INSERT INTO nephos.records VALUES (1099511627779, 2, 1, '\x68616e642033', 13, 13, 1, 1, '\x000000000000000e0000000000000002', 6, '\x000000000000000e0000000000000002', NULL, NULL, 0, 0, 0, 44, 1968657381974412341, '\x7b2274657874223a7b2274797065223a22535452494e47222c2276616c7565223a2236227d7d');
INSERT INTO nephos.roles VALUES (1, 1, '\x5f776f726c64', 6379349984233484890);
INSERT INTO nephos.roles VALUES (1, 2, '\x5f69636c6f7564', -6863190986367640190);
INSERT INTO nephos.roles VALUES (1, 3, '\x5f63726561746f72', -7781070958848137607);
INSERT INTO nephos.roles VALUES (2, 1, '\x5f776f726c64', 6379349984233484890);
INSERT INTO nephos.roles VALUES (2, 2, '\x5f69636c6f7564', -6863190986367640190);
INSERT INTO nephos.roles VALUES (2, 3, '\x5f63726561746f72', -7781070958848137607);
INSERT INTO nephos.scratch VALUES (1099511627778, '\x0002', '\x000000000000000e0000000000000001', '\x68616e64203020322036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc07797733afb1eb6349ee83add9a56ceed746491c01d46ff3a5e0f5335e2f343ebeee', 6091288183608940158);
INSERT INTO nephos.scratch VALUES (1099511627778, '\x0001', '\x000000000000000e0000000000000001', '\x68616e64203020312036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc077977d20597ff880e6b7dd73e7e32730c50e929f05131b247e94e2c6217db61758a', -4899665738283687005);
INSERT INTO nephos.scratch VALUES (1099511627778, '\x0202', '\x000000000000000e0000000000000001', '\x68616e64203220322036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc07797714984a9c953b38f92004d91408ce0696a20d002d58277b5552401366854d26', -5309838013356707672);
INSERT INTO nephos.scratch VALUES (1099511627778, '\x0201', '\x000000000000000e0000000000000001', '\x68616e64203220312036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc077977cf71c894ba7c50be8fb662295a6b13ff19b37f9f9c5faea5471e6a9961e34b', -5368981945727492165);
INSERT INTO nephos.scratch VALUES (1099511627779, '\x0102', '\x000000000000000e0000000000000002', '\x68616e64203120322036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc077977a81f4e42dad44044e666e0ff3ded818dd99eba445eef211948a9eb525048aa', -7221158432460577366);
INSERT INTO nephos.scratch VALUES (1099511627779, '\x0101', '\x000000000000000e0000000000000002', '\x68616e64203120312036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc0779777980c95989bb4c0a4a62cba6fbf667a2a11f49b54c8ba6b116df8643591b10', -2571010287073241202);
INSERT INTO nephos.scratch VALUES (1099511627779, '\x0302', '\x000000000000000e0000000000000002', '\x68616e64203320322036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc077977fec53b46ce5b96ba5931bd61575b1ddfb8f0f0b32038d02a02d3d24ff96472', -1488975406320255976);
INSERT INTO nephos.scratch VALUES (1099511627779, '\x0301', '\x000000000000000e0000000000000002', '\x68616e64203320312036', 1, 1, 6, '6', '\x36', '\x4e6553319e4bd4dcdc077977bfefd7fce8a1df43b61dd26399e58772e1870ad5521c8d6d1c49e1e1cec34a', 4480007614169564525);
INSERT INTO nephos.scratch_notes VALUES (1, 'hand 0', '\x36', 6669053350282344876);
INSERT INTO nephos.scratch_notes VALUES (1, 'hand 2', '\x36', -4873205496734601181);
INSERT INTO nephos.scratch_notes VALUES (1, 'hand 1', '\x36', 3210796254389338423);
INSERT INTO nephos.scratch_notes VALUES (1, 'hand 3', '\x36', 3505799060013072407);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0002', 1, -176246081502377085);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0002', 2, 858612062000404582);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0202', 1, -8773921763166711672);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0202', 2, 7640586849978943610);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0102', 1, 5926666735810162560);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0102', 2, 1223139305349715085);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0302', 1, -4471755805908278423);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0302', 2, 2056837906787019316);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0001', 1, 1122096560847182224);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0001', 2, 3841200972452422728);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0201', 1, 6955260974242009505);
INSERT INTO nephos.scratch_parts VALUES (1099511627778, '\x0201', 2, 8925222982052666978);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0101', 1, 323282914199796635);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0101', 2, 7524414729303974222);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0301', 1, -553307381544860267);
INSERT INTO nephos.scratch_parts VALUES (1099511627779, '\x0301', 2, 5448142808214150110);
INSERT INTO nephos.scratch_shelves VALUES ('hand 0', 24, '\x4e6553319e4bd4dcdc0779776d4c5a3eba9e5205ee5423fa6dd72d4c6582f71d146c086dbb5ac5ac39', 7701475542200968227);
INSERT INTO nephos.scratch_shelves VALUES ('hand 2', 26, '\x4e6553319e4bd4dcdc0779779a193504866ee93e6e9f208dd9bf322cdd1725d9af6b97db370e6336bf', -2334010725119265689);
INSERT INTO nephos.scratch_shelves VALUES ('hand 1', 25, '\x4e6553319e4bd4dcdc0779771420603609b1200f4b19d4a406db1521cadc6063f8fec41e074eb7300b', 1795277652754970188);
INSERT INTO nephos.scratch_shelves VALUES ('hand 3', 27, '\x4e6553319e4bd4dcdc0779777bcf647778917698876091b7c4aed3616b37f88e211aecca0868c06294', 3626138423585726029);
INSERT INTO nephos.types VALUES (1, 1, '\x4e6f7465', 0, -6347484847799906939);
INSERT INTO nephos.types VALUES (1, 2, '\x5461736b', 0, 4025938076240891017);
INSERT INTO nephos.types VALUES (2, 1, '\x4e6f7465', 0, -6347484847799906939);
INSERT INTO nephos.types VALUES (2, 2, '\x5461736b', 0, 4025938076240891017);
INSERT INTO nephos.users VALUES (1, '\x000000000000000e0000000000000001', 0, 'ACCOUNT-1', 2, 1, -4993916623551021754);
INSERT INTO nephos.users VALUES (1, '\x000000000000000e0000000000000002', 0, 'ACCOUNT-2', 3, 1, 8799875714531875782);
INSERT INTO nephos.zones VALUES (1099511627777, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1, 0, -6302830096402139295, NULL);
INSERT INTO nephos.zones VALUES (2199023255553, 1, '\x5f64656661756c745a6f6e65', 0, 1, 1, 0, 1, 0, -6302830096402139295, NULL);
INSERT INTO nephos.zones VALUES (1099511627778, 1, '\x5f64656661756c745a6f6e65', 0, 1, 13, 0, 1, 0, -8968794677571832539, NULL);
INSERT INTO nephos.zones VALUES (1099511627779, 1, '\x5f64656661756c745a6f6e65', 0, 1, 13, 0, 1, 0, 7140106133000866074, NULL);
ALTER TABLE ONLY nephos.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);
ALTER TABLE ONLY nephos.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY nephos.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (tenant, hash);
ALTER TABLE ONLY nephos.asset_refs
    ADD CONSTRAINT asset_refs_pkey PRIMARY KEY (db, zone_no, record_no, address);
ALTER TABLE ONLY nephos.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (db, address);
ALTER TABLE ONLY nephos.cascades
    ADD CONSTRAINT cascades_pkey PRIMARY KEY (db, zone_no, target);
ALTER TABLE ONLY nephos.catalog
    ADD CONSTRAINT catalog_pkey PRIMARY KEY (tenant);
ALTER TABLE ONLY nephos.change_events
    ADD CONSTRAINT change_events_pkey PRIMARY KEY (db, seq);
ALTER TABLE ONLY nephos.containers
    ADD CONSTRAINT containers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY nephos.credential_uses
    ADD CONSTRAINT credential_uses_pkey PRIMARY KEY (tenant, kind, id);
ALTER TABLE ONLY nephos.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (db, device, source_db, subscription, slot);
ALTER TABLE ONLY nephos.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (db, user_id, id);
ALTER TABLE ONLY nephos.event_records
    ADD CONSTRAINT event_records_pkey PRIMARY KEY (db, event_seq);
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
ALTER TABLE ONLY nephos.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (name, subject);
ALTER TABLE ONLY nephos.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (id);
ALTER TABLE ONLY nephos.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (identifier);
ALTER TABLE ONLY nephos.push_keys
    ADD CONSTRAINT push_keys_pkey PRIMARY KEY (tenant, development);
ALTER TABLE ONLY nephos.push_log
    ADD CONSTRAINT push_log_pkey PRIMARY KEY (db, at, nonce);
ALTER TABLE ONLY nephos.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (db, record_no);
ALTER TABLE ONLY nephos.refs
    ADD CONSTRAINT refs_pkey PRIMARY KEY (db, zone_no, target, kind, record_no);
ALTER TABLE ONLY nephos.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (tenant, role);
ALTER TABLE ONLY nephos.roles
    ADD CONSTRAINT roles_tenant_name_key UNIQUE (tenant, name);
ALTER TABLE ONLY nephos.scratch_badges
    ADD CONSTRAINT scratch_badges_pkey PRIMARY KEY (db, user_id, number);
ALTER TABLE ONLY nephos.scratch_notes
    ADD CONSTRAINT scratch_notes_pkey PRIMARY KEY (tenant, name);
ALTER TABLE ONLY nephos.scratch_parts
    ADD CONSTRAINT scratch_parts_pkey PRIMARY KEY (db, whole, number);
ALTER TABLE ONLY nephos.scratch
    ADD CONSTRAINT scratch_pkey PRIMARY KEY (db, id);
ALTER TABLE ONLY nephos.scratch_shelves
    ADD CONSTRAINT scratch_shelves_pkey PRIMARY KEY (name);
ALTER TABLE ONLY nephos.server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY nephos.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (tenant, id);
ALTER TABLE ONLY nephos.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (db, user_id, name);
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
CREATE INDEX asset_refs_by_address ON nephos.asset_refs USING btree (db, address);
CREATE INDEX assets_released ON nephos.assets USING btree (((db >> 40)), released_at, db, address) WHERE (released_at > 0);
CREATE UNIQUE INDEX catalog_by_name ON nephos.catalog USING btree (container, environment) WHERE (deleted_at = 0);
CREATE INDEX catalog_deleted ON nephos.catalog USING btree (tenant) WHERE (deleted_at <> 0);
CREATE INDEX deliveries_to_send ON nephos.deliveries USING btree (((db >> 40)), channel, due_at, created_at) WHERE (channel <> 1);
CREATE INDEX devices_by_id ON nephos.devices USING btree (((db >> 40)), id);
CREATE INDEX devices_by_use ON nephos.devices USING btree (((db >> 40)), channel, used_at);
CREATE INDEX indexes_unfinished ON nephos.indexes USING btree (state, db, index_no) WHERE (state <> 1);
CREATE INDEX jobs_by_due ON nephos.jobs USING btree (name, due_at, subject);
CREATE INDEX push_log_by_time ON nephos.push_log USING btree (((db >> 40)), at, nonce);
CREATE INDEX push_log_by_user ON nephos.push_log USING btree (((db >> 40)), user_id, at, nonce);
CREATE UNIQUE INDEX records_by_name ON nephos.records USING btree (db, zone_no, name);
CREATE UNIQUE INDEX records_by_seq ON nephos.records USING btree (db, zone_no, seq);
CREATE INDEX refs_by_record ON nephos.refs USING btree (db, record_no);
CREATE INDEX scratch_by_kind ON nephos.scratch USING btree (((db >> 40)), kind, due_at);
CREATE UNIQUE INDEX scratch_by_label ON nephos.scratch USING btree (db, label);
CREATE INDEX scratch_by_user ON nephos.scratch USING btree (((db >> 40)), user_id);
CREATE UNIQUE INDEX scratch_shelves_by_rank ON nephos.scratch_shelves USING btree (rank);
CREATE INDEX sessions_by_end ON nephos.sessions USING btree (tenant, expires_at, id);
CREATE INDEX sessions_by_user ON nephos.sessions USING btree (tenant, user_id, expires_at, id);
CREATE UNIQUE INDEX subscriptions_by_seq ON nephos.subscriptions USING btree (db, seq);
CREATE UNIQUE INDEX tombstones_by_name ON nephos.tombstones USING btree (db, zone_no, name);
CREATE INDEX tombstones_by_time ON nephos.tombstones USING btree (((db >> 40)), deleted_at, db, zone_no, seq);
CREATE INDEX trash_by_name ON nephos.trash USING btree (db, name, deleted_at, record_no);
CREATE INDEX trash_by_time ON nephos.trash USING btree (((db >> 40)), deleted_at, db, record_no);
CREATE INDEX trash_newest ON nephos.trash USING btree (db, deleted_at, record_no);
CREATE INDEX zones_by_change ON nephos.zones USING btree (db, changed_seq);
CREATE INDEX zones_dead ON nephos.zones USING btree (db, zone_no) WHERE (state = 1);
CREATE UNIQUE INDEX zones_live ON nephos.zones USING btree (db, name) WHERE (state = 0);
CREATE INDEX zones_swept ON nephos.zones USING btree (((db >> 40)), deleted_at, db, zone_no) WHERE (state = 2);
