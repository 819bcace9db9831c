package import NephosStorage

/// A read-only directory that lists containers.
package struct ListedContainers: DirectoryStore {
    private let containers: @Sendable () throws(StorageError) -> [ContainerRow]

    package init(_ containers: @escaping @Sendable () throws(StorageError) -> [ContainerRow]) {
        self.containers = containers
    }

    package func read(_ set: ReadSet) throws(StorageError) -> Reading {
        let rows = try containers()
        var reading = Reading(catalog: .placeholder)
        reading.answerNothing(set)
        reading.answerAll(set) { _ in rows }
        return reading
    }

    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer { throw StorageError.readOnly }
}
