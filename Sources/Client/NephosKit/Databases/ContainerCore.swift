import Foundation
import NephosTransport

/// The state that all objects of one container share.
final class ContainerCore: @unchecked Sendable {
    let service: Service
    let files: AssetFiles
    let queue = OperationQueue()
    private let databases = Locked<[CKDatabaseScope: WeakDatabase]>([:])

    init(_ service: Service) {
        self.service = service
        files = AssetFiles(try? service.configuration.get(), container: service.container)
        service.forget.withLock { $0 = { [files] in files.remove(of: $0?.userRecordName) } }
        queue.name = "nephos.container.\(service.container)"
    }

    /// Returns the same object for as long as there is a reference to it; with defaults, a new object for each call.
    func database(_ scope: CKDatabaseScope, _ defaults: OperationDefaults) -> CKDatabase {
        guard defaults.isEmpty else { return CKDatabase(self, scope, defaults) }
        return databases.withLock { databases in
            if let database = databases[scope]?.value { return database }
            let database = CKDatabase(self, scope, defaults)
            databases[scope] = WeakDatabase(value: database)
            return database
        }
    }
}

private struct WeakDatabase: Sendable {
    weak var value: CKDatabase?
}

/// The settings of the operations that convenience functions run: those of ``CKDatabase/configuredWith(configuration:group:body:)``,
/// and the quality of service `.userInitiated` if no other was set, since a person waits for the result.
struct OperationDefaults: Sendable {
    var configuration: CKOperationConfiguration.Members?
    var group: CKOperationGroup?

    var isEmpty: Bool { configuration == nil && group == nil }

    func apply(to operation: CKOperation) {
        if let configuration { operation.set { $0 = $0.completed(by: configuration) } }
        if let group, operation.group == nil { operation.group = group }
        if operation.settings.qualityOfService == nil { operation.set { $0.qualityOfService = .userInitiated } }
    }
}

/// The containers of this process, by ID.
final class ContainerRegistry: Sendable {
    static let shared = ContainerRegistry()

    private struct State: Sendable {
        var code = NephosConfiguration()
        var cores: [String: ContainerCore] = [:]
    }

    private let state = Locked(State())

    func configure(_ configuration: NephosConfiguration) {
        state.withLock { $0 = State(code: configuration) }
    }

    func core(_ identifier: String) -> ContainerCore {
        if let core = state.value.cores[identifier] { return core }
        let code = state.value.code
        let sources = ConfigurationSources.process(code)
        let configuration = Result { () throws(ConfigurationFault) in try sources.configuration(of: identifier) }
        let core = ContainerCore(
            Service(
                container: identifier, configuration: configuration,
                credentials: CredentialsFile(folder: sources.userFolder)))
        return state.withLock { state in
            if let other = state.cores[identifier] { return other }
            state.cores[identifier] = core
            return core
        }
    }

    /// The ID of the default container: the configured one, else `iCloud.` and the program's bundle identifier, or its process name
    /// if it has none.
    var defaultIdentifier: String {
        let configuration = try? ConfigurationSources.process(state.value.code).configuration(of: nil)
        let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return configuration?.containerIdentifier ?? "iCloud.\(program)"
    }
}
