import NephosStorage

/// Every table of a tenant, with the columns that its rows' checksums cover.
let storedColumns: [(table: String, columns: [String])] =
    [
        (
            "catalog",
            [
                "version", "lanes", "signing_key", "created_at", "container", "environment", "digest", "last_db",
                "last_type", "secret_key", "file_key", "file_place", "files_since", "ended_sessions", "checksum",
            ]
        ),
        (
            "heads",
            [
                "seq", "last_record_no", "last_time", "watchers", "records", "record_bytes", "purged_seq", "kind",
                "index_version", "trash", "assets", "asset_bytes", "rows_digest",
                "annex", "has_annex", "db",
            ]
        ),
        ("zones", ["name", "state", "changed_seq", "purged_seq", "client_token", "sharing", "zone_no", "db"]),
        (
            "records",
            [
                "name", "seq", "tag_seq", "type", "created_at", "created_by", "modified_at", "modified_by", "parent",
                "share_root", "flags", "fields_epoch", "ref_count", "size", "fields", "checksum", "zone_no",
                "record_no",
                "db",
            ]
        ),
        ("tombstones", ["name", "seq", "type", "deleted_at"]),
        ("refs", ["target", "kind", "record_no", "checksum"]),
        ("change_events", ["name", "client", "kind", "has_record", "told_to", "checksum", "zone_no"]),
        (
            "event_records",
            ["name", "zone_no", "type", "seq", "created_by", "parent", "size", "fields", "checksum", "event_seq"]
        ),
        ("assets", ["address", "nonce", "size", "content_type", "created_at", "released_at", "checksum", "db"]),
        ("asset_refs", ["zone_no", "record_no", "address", "uses", "size", "checksum", "db"]),
        ("indexes", ["type", "state", "built_to", "created_at", "used_at", "index_no", "shape", "checksum"]),
        ("index_rows", ["zone_no", "index_no", "key", "record_no"]),
        (
            "trash",
            [
                "name", "zone_no", "type", "seq", "created_by", "parent", "size", "fields", "deleted_at", "deleted_by",
                "checksum", "record_no",
            ]
        ),
    ] + TableSet.server.all.map { ($0.table.name, $0.table.columns.map(\.name) + ["checksum"]) }
