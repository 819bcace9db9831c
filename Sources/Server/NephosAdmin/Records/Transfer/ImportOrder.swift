import CloudKitWire
import NephosStorage

extension ImportedRecord {
    /// Names of records that must exist when this one is saved: its parent, and targets of references with VALIDATE.
    var neededNames: [Name] {
        patch.references.filter { $0.action == .validate }.map(\.target) + (parent.map { [$0] } ?? [])
    }
}

extension [ImportedRecord] {
    /// The records with these names, and those that need them, directly or through others.
    func dependencyClosure(of names: [Name]) -> [ImportedRecord] {
        var needing: [Name: [Name]] = [:]
        for record in self {
            for name in record.neededNames { needing[name, default: []].append(record.name) }
        }
        var closure = Set(names)
        var queue = names
        while let name = queue.popLast() {
            for dependent in needing[name] ?? [] where closure.insert(dependent).inserted { queue.append(dependent) }
        }
        return filter { closure.contains($0.name) }
    }

    /// The same records, each after those of them that it needs, so that a chain of any length is saved in one pass. Records that need each
    /// other are next to each other.
    var orderedByNeed: [ImportedRecord] {
        var places: [Name: Int] = [:]
        for (place, record) in enumerated() { places[record.name] = place }
        var ordered: [ImportedRecord] = []
        ordered.reserveCapacity(count)
        var isVisited = [Bool](repeating: false, count: count)
        var path: [(place: Int, needs: [Int])] = []
        for first in indices where !isVisited[first] {
            visit(first)
            while let last = path.indices.last {
                if let next = path[last].needs.popLast() {
                    if !isVisited[next] { visit(next) }
                } else {
                    ordered.append(self[path.removeLast().place])
                }
            }
        }
        return ordered

        func visit(_ place: Int) {
            isVisited[place] = true
            path.append((place, self[place].neededNames.compactMap { places[$0] }))
        }
    }
}
