import CloudKitWire
import NephosStorage

extension StorageCase {
    static let references: [StorageCase] = [
        referrersByKind, referencesFollowTheRecord, cascadeOfAChain, referencesStayInTheirZone,
    ]

    static let referrersByKind = StorageCase(
        "who names a record is answered by kind, by record number, up to a limit"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit(
            ReferenceKind.allCases.map { kind in
                .save(Name("\(kind)"), references: [ReferenceTarget(target: "target", kind: kind)])
            })
        try await zone.commit([
            .save("all", references: ReferenceKind.allCases.map { ReferenceTarget(target: "target", kind: $0) })
        ])
        for kind in ReferenceKind.allCases {
            try expectEqual(try zone.referrers("target", kind).map(\.name), [Name("\(kind)"), "all"], "kind \(kind)")
            try expectEqual(try zone.referrers("target", kind, limit: 1).map(\.name), [Name("\(kind)")], "the first")
        }
        let row = try unwrap(try zone.record("all"), "the record")
        try expectEqual(try zone.referrers("target", .validate).last, RecordStub(row), "the stub of a referrer")
        try expectEqual(try zone.database.head().references, 8, "references that are counted")
    }

    static let referencesFollowTheRecord = StorageCase(
        "a record's references are those of its last save, and go with it"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit([.save("a", ownedBy: "x"), .save("b", ownedBy: "x")])
        try await zone.save("a", "moved")
        try expectEqual(try zone.referrers("x", .deleteSelf).map(\.name), ["b"], "who names x after a let go")
        try await zone.commit([.save("a", "", ownedByEach: ["x", "y"])])
        try expectEqual(try zone.referrers("y", .deleteSelf).map(\.name), ["a"], "who names y")
        try await zone.changeFieldsOnly("a")
        try expectEqual(try zone.referrers("x", .deleteSelf).map(\.name), ["a", "b"], "who names x after a kept it")
        try await zone.delete("a")
        try expectEqual(try zone.referrers("x", .deleteSelf).map(\.name), ["b"], "who names x after a went")
        try expectEqual(try zone.referrers("y", .deleteSelf), [], "who names y after a went")
        try expectEqual(try zone.database.head().references, 1, "references that are counted")
    }

    static let cascadeOfAChain = StorageCase(
        "a cascade follows a chain of 500 to its end, or to its limit"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit((1...500).map { .save(Name("link \($0)"), ownedBy: Name("link \($0 - 1)")) })
        let edges = try zone.cascade(["link 0"])
        try expectEqual(edges.count, 500, "edges of the chain")
        for edge in edges {
            let row = try unwrap(Int(edge.record.name.text.dropFirst(5)), "the number of a link")
            try expectEqual(edge.target, Name("link \(row - 1)"), "what \(edge.record.name) names")
        }
        try expectEqual(try zone.cascade(["link 0"], limit: 100).count, 100, "edges up to a limit")
        try expectEqual(try zone.cascade(["link 498", "link 497"]).count, 3, "edges below two roots of one chain")
    }

    static let referencesStayInTheirZone = StorageCase(
        "a reference counts in the zone and database of its record only"
    ) { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        let zones = [try await one.createZone("a"), try await one.createZone("b"), try await two.createZone("a")]
        try await zones[0].commit([.save("holder", ownedBy: "target"), .save("target")])
        for zone in zones.dropFirst() {
            try await zone.save("target")
            try expectEqual(try zone.referrers("target", .deleteSelf), [], "who names the target in another zone")
            try expectEqual(try zone.cascade(["target"]), [], "the cascade in another zone")
        }
        try expectEqual(try zones[0].cascade(["target"]).map(\.record.name), ["holder"], "the cascade in its own")
    }
}

extension TestZone {
    /// Saves a record with other fields, and says that its references are the same as before.
    fileprivate func changeFieldsOnly(_ record: Name) async throws {
        let batch = Batch(database: database, zone: name, changes: [.save(record, "changed")], time: 1)
        try await database.store.commit(batch.reading) { reading -> Decision<Void> in
            var writes = try batch.writes(reading)
            writes.records[0].references = nil
            writes.records[0].new.referenceCount = writes.records[0].old?.referenceCount ?? 0
            return .write(writes, ())
        }
    }
}
