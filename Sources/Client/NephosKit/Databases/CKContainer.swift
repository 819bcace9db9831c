public import Foundation

/// The databases of an app: the public one, the person's private one, and the one with what others share with them.
///
/// Creating a container sends no request and never fails. The server's address and the credentials are looked up as
/// ``NephosConfiguration`` describes.
public final class CKContainer: NSObject, @unchecked Sendable {
    let core: ContainerCore
    let defaults: OperationDefaults
    var service: Service { core.service }

    /// Returns the container that the configuration names, or else the one that is named `iCloud.` and the program's bundle identifier
    /// (without one, its process name).
    public class func `default`() -> CKContainer { CKContainer(identifier: ContainerRegistry.shared.defaultIdentifier) }

    /// Creates an object for a container. All objects that this initializer creates with the same identifier share one session, unless
    /// ``configure(_:)`` was called in between.
    public convenience init(identifier containerIdentifier: String) {
        self.init(ContainerRegistry.shared.core(containerIdentifier), OperationDefaults())
    }

    /// Creates a container with its own configuration and its own session. Members that are nil are looked up as
    /// ``NephosConfiguration`` describes.
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

    /// Sets the program's configuration for all its containers, which takes precedence over environment variables and files. Objects
    /// that exist already keep their configuration and their session.
    public class func configure(_ configuration: NephosConfiguration) {
        ContainerRegistry.shared.configure(configuration)
    }

    /// The ID that the container was created with. Never nil.
    public var containerIdentifier: String? { service.container }
    /// The private database of the person who is signed in. Without a session its requests fail with `notAuthenticated`.
    public var privateCloudDatabase: CKDatabase { core.database(.private, defaults) }
    /// The database that everybody who uses the app can read, also without being signed in, as far as the schema's
    /// roles permit.
    public var publicCloudDatabase: CKDatabase { core.database(.public, defaults) }
    /// The database of the records that other people share with the person who is signed in.
    public var sharedCloudDatabase: CKDatabase { core.database(.shared, defaults) }

    /// Returns the database of a scope: the same object for as long as the program has a reference to it.
    public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase { core.database(databaseScope, defaults) }

    /// Runs an operation in this container. A ``CKDatabaseOperation`` whose database is nil runs in the private database.
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

    /// Signs a person in with a web auth token, such as one that `nephos session create` prints or that a sign-in page returns. This
    /// applies to all objects that share the session. `CKAccountChanged` is posted after the fetched files of the previous person were
    /// removed.
    ///
    /// - Parameter remembering: Whether the token is written to the credentials file, for the next start of the program.
    /// - Throws: ``CKError`` if the credentials file cannot be written; nothing has changed then.
    public func signIn(webAuthToken: String, remembering: Bool = false) throws {
        if remembering { try service.remember(webAuthToken) }
        service.signIn(webAuthToken: webAuthToken)
    }

    /// Signs the person out, and removes their token from the credentials file and their fetched files. The session itself remains
    /// valid at the server until it expires; ``endSession(everywhere:)`` ends it.
    ///
    /// - Throws: ``CKError`` if the credentials file cannot be read or written; nothing has changed then.
    public func signOut() throws {
        try service.remember(nil)
        service.signIn(webAuthToken: nil)
    }

    /// Ends the session at the server, so that none of its tokens is valid any longer, and then signs out as ``signOut()`` does. If the
    /// session has ended already or nobody is signed in, it only signs out; so it does with a server-to-server key, and with Apple's
    /// service, which has no such request.
    ///
    /// - Parameter everywhere: Whether all sessions of the person in this container and environment end, on all devices.
    /// - Throws: ``CKError`` if the request fails, or if the credentials file cannot be read or written. If the request fails, the
    ///   person stays signed in: the program may try again, or call ``signOut()``. Nothing has changed then, except that after
    ///   `serverResponseLost` the session may have ended at the server.
    public func endSession(everywhere: Bool = false) async throws {
        let session = service.session
        try await service.endSession(everywhere: everywhere)
        // Another person may have signed in meanwhile; they stay signed in.
        if service.session == session || !service.isSignedIn { try signOut() }
    }
}

extension CKContainer {
    /// Calls `body` with this container, whose convenience functions then use a configuration and a group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (_ configuredContainer: CKContainer) throws -> R
    ) rethrows -> R {
        try body(configured(configuration, group))
    }

    /// Calls `body` with this container, whose convenience functions then use a configuration and a group.
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
