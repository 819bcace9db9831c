import CloudKitWire
import Foundation
import NephosDomain
import NephosStorage
import NephosTesting
import Testing

/// Random batches against a model that follows docs/protocol.md (R1–R6, M1, M3, M6) by brute force.
///
/// `SEED=42` reproduces one run.
@Suite("records/modify agrees with a model of references, parents and cascades") struct ModifyModelTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] }
        ?? Array(1...40)

    @Test(arguments: seeds) func randomBatches(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        var model = ReferenceModel(limit: SmallCloud.deleteSelfMax)
        for step in 0..<30 {
            let batch = ReferenceModel.Batch.random(using: &random)
            let expected = model.apply(batch)
            let got = try await cloud.modify(batch)
            #expect(got == expected, "seed \(seed), step \(step): \(batch.json)")
            let stored = try cloud.names(of: ReferenceModel.names)
            #expect(stored == Set(model.records.keys), "seed \(seed), step \(step): \(batch.json)")
            guard got == expected, stored == Set(model.records.keys) else { return }
        }
        #expect(try cloud.check().isEmpty, "seed \(seed)")
    }
}

/// Records that refer to each other, and the effect of a batch on them.
struct ReferenceModel {
    struct Link: Hashable {
        var kind: String
        var target: String
        var binds: Bool { kind == "PARENT" || kind == "VALIDATE" }
    }

    struct Operation {
        var kind: String
        var name: String
        var links: Set<Link>
        var isDeletion: Bool { kind == "delete" || kind == "forceDelete" }
    }

    struct Batch {
        var isAtomic: Bool
        var operations: [Operation]
    }

    static let names = "abcdefgh".map(String.init)
    let limit: Int
    var records: [String: Set<Link>] = [:]

    init(limit: Int) { self.limit = limit }

    /// Applies a batch. - Returns: For each operation its code, or `ok`.
    mutating func apply(_ batch: Batch) -> [String] {
        var codes = batch.operations.map { operation -> String in
            let exists = records[operation.name] != nil
            switch operation.kind {
            case "create": return exists ? "EXISTS" : "ok"
            case "delete": return exists ? "ok" : "NOT_FOUND"
            default: return "ok"
            }
        }
        func failAtomically() {
            guard batch.isAtomic, codes.contains(where: { $0 != "ok" }) else { return }
            for index in codes.indices where codes[index] == "ok" { codes[index] = "ATOMIC_ERROR" }
        }
        failAtomically()
        while true {
            let after = state(after: batch, codes)
            var failed = false
            for (index, operation) in batch.operations.enumerated() where codes[index] == "ok" {
                guard let code = breach(operation, batch, codes, after) else { continue }
                codes[index] = code
                failed = true
            }
            failAtomically()
            if !failed {
                records = state(after: batch, codes)
                return codes
            }
        }
    }

    private func saved(_ batch: Batch, _ codes: [String]) -> [String: Set<Link>] {
        var saved: [String: Set<Link>] = [:]
        for (operation, code) in zip(batch.operations, codes) where code == "ok" && !operation.isDeletion {
            saved[operation.name] = operation.links
        }
        return saved
    }

    private func state(after batch: Batch, _ codes: [String]) -> [String: Set<Link>] {
        let saved = saved(batch, codes)
        var deleted = Set(
            zip(batch.operations, codes).filter { $1 == "ok" && $0.isDeletion && records[$0.name] != nil }.map(\.0.name)
        )
        var grew = true
        while grew {
            let more = records.filter { name, links in
                saved[name] == nil && !deleted.contains(name)
                    && links.contains { $0.kind == "DELETE_SELF" && deleted.contains($0.target) }
            }
            grew = !more.isEmpty
            deleted.formUnion(more.keys)
        }
        return records.filter { !deleted.contains($0.key) }.merging(saved) { $1 }
    }

    private func breach(
        _ operation: Operation, _ batch: Batch, _ codes: [String], _ after: [String: Set<Link>]
    ) -> String? {
        if !operation.isDeletion {
            let before = records[operation.name] ?? []
            for link in operation.links {
                if link.binds, after[link.target] == nil {
                    // An existing link may dangle only if its target was missing before.
                    if !before.contains(link) || records[link.target] != nil { return "VALIDATING_REFERENCE_ERROR" }
                }
                if link.kind == "DELETE_SELF", !before.contains(link),
                    after.values.count(where: { $0.contains(link) }) > limit
                {
                    return "BAD_REQUEST"
                }
            }
            return nil
        }
        guard records[operation.name] != nil else { return nil }
        // Records deleted because of this deletion: missing after the whole batch, and reachable from it.
        let gone = Set(records.keys).subtracting(after.keys)
        var reached: Set<String> = [operation.name]
        var grew = true
        while grew {
            let more = gone.filter { name in
                !reached.contains(name)
                    && (records[name] ?? []).contains { $0.kind == "DELETE_SELF" && reached.contains($0.target) }
            }
            grew = !more.isEmpty
            reached.formUnion(more)
        }
        let held = records.contains { name, links in
            after[name] != nil && saved(batch, codes)[name] == nil
                && links.contains { $0.binds && reached.contains($0.target) }
        }
        return held ? "VALIDATING_REFERENCE_ERROR" : nil
    }
}

extension ReferenceModel.Batch {
    static func random(using random: inout SeededGenerator) -> Self {
        var names = ReferenceModel.names.shuffled(using: &random)
        let count = Int.random(in: 1...5, using: &random)
        let operations = (0..<count).map { _ in
            let kinds = ["create", "create", "forceReplace", "forceReplace", "delete", "forceDelete"]
            let kind = kinds.randomElement(using: &random) ?? "create"
            var links: Set<ReferenceModel.Link> = []
            for linkKind in ["NONE", "DELETE_SELF", "DELETE_SELF", "VALIDATE", "PARENT"]
            where Int.random(in: 0..<3, using: &random) == 0 {
                links.insert(.init(kind: linkKind, target: ReferenceModel.names.randomElement(using: &random) ?? "a"))
            }
            let name = names.removeLast()
            let parents = links.filter { $0.kind == "PARENT" && $0.target == name }
            return ReferenceModel.Operation(kind: kind, name: name, links: links.subtracting(parents))
        }
        return Self(isAtomic: Bool.random(using: &random), operations: operations)
    }

    /// The request for this batch.
    var json: String {
        let operations = operations.map { operation -> String in
            guard !operation.isDeletion else {
                return #"{"operationType":"\#(operation.kind)","record":{"recordName":"\#(operation.name)"}}"#
            }
            let references = operation.links.filter { $0.kind != "PARENT" }
                .map { #"{"recordName":"\#($0.target)","action":"\#($0.kind)"}"# }.sorted()
            let parent =
                operation.links.first { $0.kind == "PARENT" }
                .map { #"{"recordName":"\#($0.target)"}"# } ?? "null"
            return #"""
                {"operationType":"\#(operation.kind)","record":{"recordName":"\#(operation.name)","recordType":"Node",\#
                "parent":\#(parent),"fields":{"links":{"value":[\#(references.joined(separator: ","))],\#
                "type":"REFERENCE_LIST"}}}}
                """#
        }
        return
            #"{"zoneID":{"zoneName":"Z"},"atomic":\#(isAtomic),"operations":[\#(operations.joined(separator: ","))]}"#
    }
}
