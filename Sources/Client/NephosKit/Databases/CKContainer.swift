public import Foundation

/// An app's databases: everybody's, one's own, and what others share.
///
/// Making one asks nobody and checks nothing. Where its server is and who is signed in is found as ``NephosConfiguration`` says.
public final class CKContainer: NSObject, @unchecked Sendable {
    let core: ContainerCore
    let defaults: OperationDefaults
    var service: Service { core.service }

    /// The container that the configuration names.
    public class func `default`() -> CKContainer { CKContainer(identifier: ContainerRegistry.shared.defaultIdentifier) }

    /// Objects with one identifier are the same container, with one session.
    public convenience init(identifier containerIdentifier: String) {
        self.init(ContainerRegistry.shared.core(containerIdentifier), OperationDefaults())
    }

    /// A container with a configuration of its own, and a session of its own. What is missing there is looked for elsewhere.
    public convenience init(identifier containerIdentifier: String, configuration: NephosConfiguration) {
        let sources = ConfigurationSources.process(configuration)
        let found = Result { () throws(ConfigurationFault) in try sources.configuration(of: containerIdentifier) }
        let service = Service(
            container: containerIdentifier, configuration: found,
            credentials: CredentialsFile(folder: sources.userFolder))
        self.init(ContainerCore(service), OperationDefaults())
    }

    init(_ core: ContainerCore, _ defaults: OperationDefaults) {
        self.core = core
        self.defaults = defaults
    }

    /// What this program says of all its containers, before environment variables and files. Containers that are there
    /// already keep what they have.
    public class func configure(_ configuration: NephosConfiguration) {
        ContainerRegistry.shared.configure(configuration)
    }

    /// The ID that the container was made with. Never nil.
    public var containerIdentifier: String? { service.container }
    /// The database of the person who is signed in. Without a session its requests fail with `notAuthenticated`.
    public var privateCloudDatabase: CKDatabase { core.database(.private, defaults) }
    /// The database that everybody who uses the app can read, also without being signed in, as the schema's roles
    /// permit.
    public var publicCloudDatabase: CKDatabase { core.database(.public, defaults) }
    /// The records that other people share with the person who is signed in.
    public var sharedCloudDatabase: CKDatabase { core.database(.shared, defaults) }

    /// The database of a scope: the same object for as long as somebody keeps it.
    public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase { core.database(databaseScope, defaults) }

    /// Runs an operation here; one on a database without a database on the private one.
    public func add(_ operation: CKOperation) {
        operation.set { $0.container = self }
        core.queue.addOperation(operation)
    }

    /// Runs an operation of a convenience function.
    func start(_ operation: CKOperation) {
        defaults.apply(to: operation)
        add(operation)
    }

    // MARK: Sessions

    /// Goes on as somebody else: with a web auth token, as `nephos session create` prints it, or a sign-in page gives it. All
    /// containers with this identifier follow, and `CKAccountChanged` is posted, once the fetched files of who was signed in are gone.
    ///
    /// - Parameter remembering: Whether the token is written to the file of credentials, for the next start.
    /// - Throws: ``CKError`` when it cannot be written there; nothing has changed then.
    public func signIn(webAuthToken: String, remembering: Bool = false) throws {
        if remembering { try service.remember(webAuthToken) }
        service.signIn(webAuthToken: webAuthToken)
    }

    /// Goes on as nobody, and forgets a token that was remembered, and the fetched files of who was signed in. The session itself
    /// goes on until its time is over: ``endSession(everywhere:)`` ends it.
    ///
    /// - Throws: ``CKError`` when the file of credentials cannot be written; nothing has changed then.
    public func signOut() throws {
        try service.remember(nil)
        service.signIn(webAuthToken: nil)
    }

    /// Ends the session at the server, so that nobody goes on with any of its tokens, and then goes on as nobody, as ``signOut()`` does.
    /// Where the session has ended already, or nobody is signed in, the latter alone is done; and so it is at Apple's service, which has
    /// no such request.
    ///
    /// - Parameter everywhere: Whether all sessions of the person in this container and environment end, on whatever device.
    /// - Throws: ``CKError`` when the server cannot be asked, or the file of credentials not be written. In the first case nothing has
    ///   changed: the program may try again, or call ``signOut()``.
    public func endSession(everywhere: Bool = false) async throws {
        let session = service.session
        try await service.endSession(everywhere: everywhere)
        // Somebody else may have signed in meanwhile.
        if service.session == session || !service.isSignedIn { try signOut() }
    }
}

extension CKContainer {
    /// Lends `body` this container with a configuration and a group for its convenience functions.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (_ configuredContainer: CKContainer) throws -> R
    ) rethrows -> R {
        try body(configured(configuration, group))
    }

    /// Lends `body` this container with a configuration and a group for its convenience functions.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: @Sendable (_ configuredContainer: CKContainer) async throws -> R
    ) async rethrows -> R {
        try await body(configured(configuration, group))
    }

    private func configured(_ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?) -> CKContainer {
        CKContainer(core, defaults.with(configuration, group))
    }
}

extension OperationDefaults {
    func with(_ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?) -> OperationDefaults {
        OperationDefaults(
            configuration: configuration.map { $0.members.completed(by: self.configuration) } ?? self.configuration,
            group: group ?? self.group)
    }
}
