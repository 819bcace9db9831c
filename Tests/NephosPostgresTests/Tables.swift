import NephosStorage
import StorageConformance

@testable import NephosPostgres

/// The tables of their own schema.
struct Tables: StoredTables {
    private let schema: Schema
    private let tables: TableSet

    init(_ tables: TableSet = .server) throws {
        self.tables = tables
        schema = try Schema()
    }

    func open() throws -> any StorageEngine { try open(tables) }

    func open(_ tables: TableSet) throws -> any StorageEngine { try schema.open(tables) }

    func run(_ statements: [String], in place: StoredPlace) throws { try schema.run(statements) }

    func number(_ query: String) throws -> Int64? { try schema.run([query]).first?.optionalInt(0) }

    func type(_ column: Column) -> String { TableSQL.type(column) }

    var migrations: String { "migrations" }

    func isOfTenant(_ table: String) -> String {
        let number = "(SELECT tenant FROM catalog WHERE environment = '\(Tenant.conformance.environment.rawValue)')"
        let key = StoredPlace.tenant.keys[table] ?? ""
        return key.hasPrefix("db") ? "db >> 40 = \(number)" : "tenant = \(number)"
    }

    func another(_ column: String, of table: String) throws -> String {
        switch try columnTypes(of: table).first(where: { $0.name == column })?.type {
        case "bigint": "coalesce(\(column) + 7, 1)"
        case "bytea": #"coalesce('\xff'::bytea || substring(\#(column) from 2), 'x')"#
        default: "\(column) || 'x'"
        }
    }

    func failing(_ table: String) -> [String] {
        [
            """
            CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE faults SET rest = rest - 1;
                IF (SELECT rest FROM faults) < 0 THEN RAISE EXCEPTION 'a fault'; END IF;
                IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                RETURN NEW;
            END $$
            """,
            """
            CREATE TRIGGER fail BEFORE INSERT OR UPDATE OR DELETE ON \(table)
            FOR EACH ROW EXECUTE FUNCTION fail()
            """,
        ]
    }

    func literal(hexadecimal digits: String) -> String { #"'\x\#(digits)'::bytea"# }

    func columnTypes(of table: String) throws -> [(name: String, type: String)] {
        try schema.run([
            """
            SELECT column_name::text, data_type::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = '\(table)' ORDER BY ordinal_position
            """
        ]).map { ($0.string(0), $0.string(1)) }
    }
}
