#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The path of a program of this build: the value of the environment variable, else next to the running program, else in the
/// build of the package's tests.
///
/// - Throws: ``SystemError`` if there is none.
package func builtProgram(_ name: String, orNamedBy variable: String) throws -> String {
    if let path = getenv(variable) { return String(cString: path) }
    let beside = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
    let candidates = [beside + [name[...]], package + [".build", "tested", name[...]]].map { $0.joined(separator: "/") }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
        throw SystemError("find the program \(name) at \(candidates), or set \(variable)", code: ENOENT)
    }
    return path
}
