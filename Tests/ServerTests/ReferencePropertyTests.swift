import Foundation
import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, R1 to R5: the effects of atomic batches on references and parents, against a model of the rules.
    @Suite struct ReferencePropertyTests {
        @Test(arguments: seeds([1, 2, 3])) func batchesDoWhatTheRulesSay(seed: UInt64) throws {
            let ada = try Notes().ada
            var generator = SeededGenerator(seed: seed)
            var model = ReferenceModel()
            var allowed = 0
            for step in 0..<200 {
                let batch = ReferenceModel.Operation.batch(using: &generator)
                var next = model
                let isAllowed = next.apply(batch)
                let results = try ada.modify(batch.map(\.json))
                let isDone = results.allSatisfy { $0["serverErrorCode"].isAbsent }
                try #require(
                    isDone == isAllowed, "SEED=\(seed) step \(step): \(batch) on \(model.records) answered \(results)")
                if isAllowed { (model, allowed) = (next, allowed + 1) }
                let names = ReferenceModel.names
                let found = zip(names, try ada.lookUp(names)).filter { $1["serverErrorCode"].isAbsent }.map(\.0)
                try #require(found == model.records.keys.sorted(), "SEED=\(seed) step \(step): \(batch)")
            }
            #expect((20...180).contains(allowed), "\(allowed) of 200 batches show one side only")
        }
    }
}

/// Seeds of a property test; `SEED=7` reproduces one.
func seeds(_ usual: [UInt64]) -> [UInt64] {
    ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }.map { [$0] } ?? usual
}

/// The rules of references and parents, in the simplest implementation.
private struct ReferenceModel {
    struct Record {
        /// Fields `a` and `b`.
        var references: [String: (target: String, action: String)] = [:]
        var parent: String?
    }

    struct Operation: CustomStringConvertible {
        var type: String
        var name: String
        var fields: [String: (target: String, action: String)] = [:]
        var parent: String?
        var json: JSON {
            guard !type.hasSuffix("elete") else { return operation(type, name) }
            let fields = fields.sorted { $0.key < $1.key }
                .map { JSON.Member($0.key, reference($0.value.target, $0.value.action)) }
            return operation(
                type, name, fields: .object(fields), parent: parent.map { ["recordName": .string($0)] } ?? .absent)
        }
        var description: String { "\(json)" }

        static func batch(using generator: inout SeededGenerator) -> [Operation] {
            let names = Set((0..<Int.random(in: 1...5, using: &generator)).map { _ in anyName(&generator) })
            return names.sorted().shuffled(using: &generator).map { one($0, &generator) }
        }

        private static func one(_ name: String, _ generator: inout SeededGenerator) -> Operation {
            let types = [
                "forceUpdate", "forceReplace", "forceUpdate", "create", "forceDelete", "forceDelete", "delete",
            ]
            var operation = Operation(type: types.randomElement(using: &generator) ?? "create", name: name)
            for field in ["a", "b"] where generator.once(in: 2) {
                let action = ["NONE", "VALIDATE", "DELETE_SELF", "DELETE_SELF"].randomElement(using: &generator)
                operation.fields[field] = (anyName(&generator), action ?? "NONE")
            }
            let parent = anyName(&generator)
            if parent != name, generator.once(in: 6) { operation.parent = parent }
            return operation
        }

        private static func anyName(_ generator: inout SeededGenerator) -> String {
            names.randomElement(using: &generator) ?? "R0"
        }
    }

    static let names = (0..<8).map { "R\($0)" }
    private(set) var records: [String: Record] = [:]

    /// Applies a batch to this copy.
    ///
    /// - Returns: Whether it is allowed; the copy is unusable if not.
    mutating func apply(_ batch: [Operation]) -> Bool {
        let before = records
        for operation in batch {
            guard apply(operation) else { return false }
        }
        let saved = Set(batch.filter { !$0.type.hasSuffix("elete") }.map(\.name))
        cascade(from: Set(before.keys).subtracting(records.keys), sparing: saved)
        return isSound(before: before, saved: saved)
    }

    private mutating func apply(_ operation: Operation) -> Bool {
        let old = records[operation.name]
        switch operation.type {
        case "forceDelete": records[operation.name] = nil
        case "delete":
            records[operation.name] = nil
            return old != nil
        case "create" where old != nil: return false
        default:
            var record = operation.type == "forceUpdate" ? old ?? Record() : Record()
            record.references.merge(operation.fields) { $1 }
            record.parent = operation.parent ?? old?.parent
            records[operation.name] = record
        }
        return true
    }

    /// Deletes the records that reference deleted ones with DELETE_SELF, recursively.
    private mutating func cascade(from gone: Set<String>, sparing saved: Set<String>) {
        var gone = gone
        while !gone.isEmpty {
            let next = records.filter { name, record in
                !saved.contains(name)
                    && record.references.values.contains { $0.action == "DELETE_SELF" && gone.contains($0.target) }
            }
            gone = Set(next.keys)
            for name in gone { records[name] = nil }
        }
    }

    /// Whether no promise is broken: none that was added by this batch, and none whose target was deleted by it.
    private func isSound(before: [String: Record], saved: Set<String>) -> Bool {
        records.allSatisfy { name, record in
            let promises =
                record.references.values.filter { $0.action == "VALIDATE" }.map(\.target)
                + [record.parent].compactMap(\.self)
            let old = before[name]
            let kept =
                (old?.references.values.filter { $0.action == "VALIDATE" }.map(\.target) ?? [])
                + [old?.parent].compactMap(\.self)
            return promises.allSatisfy { target in
                records[target] != nil || (before[target] == nil && kept.contains(target))
            }
        }
    }
}
