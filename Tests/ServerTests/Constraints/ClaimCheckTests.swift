import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import ServerTesting
import Testing

@testable import NephosConstraints

extension ServerTests {
    /// docs/constraints.md, "Setting them up": what `nephos check` reports about claims that no save has written.
    @Suite struct ClaimCheckTests {
        @Test("The check finds a missing, wrong or orphaned claim, and names its record")
        func damage() async throws {
            let own = try ConstraintContainer("{field: identifier, rule: unique}")
            #expect(try own.save("a", ["identifier": value("1")]) == "")
            let store = try Self.store(of: own)
            let claim = try #require(try store.rows(ClaimRow.all(in: 1, after: nil, limit: 10)).first)
            let key = claim.key.map { $0 ^ 1 }
            let other = ClaimRow(
                database: 1, constraint: claim.constraint, key: key, slot: 1, zone: 1, name: "a", end: 0)
            let nobodys = ClaimRow(
                database: 1, constraint: claim.constraint, key: key, slot: 1, zone: 1, name: "b", end: 0)

            try await Self.write(to: store) { $0.remove(claim) }
            try Self.expect(own, finding: "record a of zone 1 lacks a claim")
            try await Self.write(to: store) { $0.put(other) }
            try Self.expect(own, finding: "record a of zone 1 has a wrong claim")
            try await Self.write(to: store) {
                $0.remove(other)
                $0.put(claim)
                $0.put(nobodys)
            }
            try Self.expect(own, finding: "record b of zone 1 has a wrong claim")
            try await Self.write(to: store) { $0.remove(nobodys) }
            try own.check()
        }

        private static func store(of own: ConstraintContainer) throws -> any TenantStore {
            let server = try #require(own.container.cloud.server as? any EngineBackedServer)
            return try server.administration.store(Tenant(container: own.container.id, environment: .development))
        }

        /// Commits rows that no rule would write.
        private static func write(
            to store: any TenantStore, _ change: @escaping @Sendable (inout WriteSet) -> Void
        ) async throws {
            var reading = ReadSet()
            reading.databases = [1]
            try await store.commit(reading) { _ in
                var set = WriteSet()
                change(&set)
                return .write(set, ())
            }
        }

        private static func expect(_ own: ConstraintContainer, finding: String) throws {
            let result = try own.command("check", own.container.id)
            #expect(result.status != 0 && result.output.contains("claims  \(finding)\n"), "\(result)")
        }
    }
}
