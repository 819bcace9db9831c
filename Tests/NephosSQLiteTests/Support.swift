import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import StorageConformance

@testable import NephosSQLite

/// A container in its own folder, with the type `Note` and a zone to write to.
final class Cloud: Sendable {
    static let container = "iCloud.org.example.notes"
    static let tenant = Tenant(container: container, environment: .development)
    static let note = Notes.type

    let folder: TemporaryFolder
    let engine: SQLiteEngine

    init(options: SQLiteOptions = SQLiteOptions()) throws {
        folder = try TemporaryFolder()
        engine = try SQLiteEngine(directory: folder.path, options: options)
        try Self.create(in: engine)
    }

    deinit { engine.close() }

    static func create(_ container: String = container, in engine: SQLiteEngine) throws {
        try Notes.createContainer(container, in: engine)
    }

    func store(_ engine: SQLiteEngine? = nil) throws -> SQLiteTenantStore {
        let store = try (engine ?? self.engine).open(Self.tenant)
        guard let store = store as? SQLiteTenantStore else { throw StorageError.noSuchTenant }
        return store
    }

    /// The tenant's file.
    var file: String { DataDirectory(folder.path).tenant(Self.tenant) }

    /// Removes the container from the list, as if a process had died while creating it.
    func forgetContainer() throws {
        let path = DataDirectory(folder.path).directoryFile
        try Connection(path: path, access: .write, settings: []).execute(
            "DELETE FROM containers; UPDATE meta SET digest = 0")
    }

    /// Changes the tenant's file without the engine noticing.
    func meddle(_ sql: String) throws {
        try Connection(path: file, access: .write, settings: damaging).execute(sql)
    }
}

/// Lets a connection write what the tables themselves reject.
let damaging = ["PRAGMA ignore_check_constraints = ON"]

/// Destroys 16 bytes of a file.
func overwrite(_ path: String, at offset: Int64) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(repeating: 0xAA, count: 16))
    try file.close()
}
