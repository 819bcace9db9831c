/// A server for tests: a separate process (``ServerProcess``), or a part of this one.
package protocol TestServer: AnyObject, Sendable {
    /// The `nephos` command for the server's store.
    var command: NephosCommand { get }
    /// Its port for ``HTTPConnection`` and ``CloudKitClient``.
    var port: Int { get }
    /// Its log so far.
    var logText: String { get }
    /// Its log since a place returned earlier; 0 is the beginning.
    func log(after place: Int) throws -> (text: String, place: Int)

    /// Creates a container as an operator does, with the command unless there is a faster way. - Throws: ``CommandFailure``.
    func createContainer(_ id: String) throws
    /// - Returns: An API token.
    func createToken(_ container: String, _ environment: String) throws -> String
    func createAccount(_ email: String, name: String) throws
    /// - Returns: A web auth token.
    func createSession(_ container: String, _ environment: String, _ email: String) throws -> String

    /// Requests a shutdown, and waits for it. - Returns: How it ended; nil if it had to be killed after this many seconds.
    @discardableResult func stop(within seconds: Double) throws -> ProcessEnd?
}

extension TestServer {
    @discardableResult package func stop() throws -> ProcessEnd? { try stop(within: Double(Patience.seconds)) }

    package func createContainer(_ id: String) throws { try command("container", "create", id) }

    package func createToken(_ container: String, _ environment: String) throws -> String {
        try command("token", "create", container, "--environment", environment)
    }

    package func createAccount(_ email: String, name: String) throws {
        try command("account", "create", email, "--name", name)
    }

    package func createSession(_ container: String, _ environment: String, _ email: String) throws -> String {
        try command("session", "create", container, email, "--environment", environment)
    }
}
