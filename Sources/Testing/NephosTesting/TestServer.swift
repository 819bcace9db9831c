/// A server for tests: a process of its own (``ServerProcess``), or a part of this one.
package protocol TestServer: AnyObject, Sendable {
    /// The `nephos` command on the server's store, beside it.
    var command: NephosCommand { get }
    /// What ``HTTPConnection`` and ``CloudKitClient`` know it by.
    var port: Int { get }
    /// What it has said so far.
    var logText: String { get }
    /// What it has said since a place that this answered before; 0 is the beginning.
    func log(after place: Int) throws -> (text: String, place: Int)

    /// What operators make with every container, by the command unless there is a shorter way. - Throws: ``CommandFailure``.
    func makeContainer(_ id: String) throws
    /// - Returns: An API token.
    func makeToken(_ container: String, _ environment: String) throws -> String
    func makeAccount(_ email: String, name: String) throws
    /// - Returns: A web auth token.
    func makeSession(_ container: String, _ environment: String, _ email: String) throws -> String

    /// Asks it to finish, and waits until it has. - Returns: How it ended; nil when it had to be killed after so many seconds.
    @discardableResult func stop(within seconds: Double) throws -> ProcessEnd?
}

extension TestServer {
    @discardableResult package func stop() throws -> ProcessEnd? { try stop(within: 15) }

    package func makeContainer(_ id: String) throws { try command("container", "create", id) }

    package func makeToken(_ container: String, _ environment: String) throws -> String {
        try command("token", "create", container, "--environment", environment)
    }

    package func makeAccount(_ email: String, name: String) throws {
        try command("account", "create", email, "--name", name)
    }

    package func makeSession(_ container: String, _ environment: String, _ email: String) throws -> String {
        try command("session", "create", container, email, "--environment", environment)
    }
}
