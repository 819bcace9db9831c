#if os(Linux)
    import NephosTesting
    import Testing

    extension SocketTests {
        /// docs/running.md, NEPHOS_CONNECTIONS_MAX, when no more files can be opened.
        @Suite struct FullListenerTests {
            @Test func connectionsThatCannotBeAcceptedAreAcceptedLater() throws {
                let server = try ServerProcess()
                let accepted = try HTTPConnection(port: server.port)
                #expect(try accepted.exchange(HTTPRequest("GET", "/metrics")).status == 200)
                let start = ContinuousClock.now
                try allow(files: 0, to: server)
                // The system establishes the connection by itself, and the server cannot accept it.
                let waiting = try HTTPConnection(port: server.port)
                #expect(Deadline().waits { refusals(server) > 0 })
                #expect(try accepted.exchange(HTTPRequest("GET", "/metrics")).status == 200)
                try allow(files: 256, to: server)
                #expect(try waiting.exchange(HTTPRequest("GET", "/metrics")).status == 200)
                let seconds = (ContinuousClock.now - start).components.seconds
                #expect(refusals(server) <= seconds + 2, "it tries again once a second")
                #expect(try server.stop() == .exited(0))
            }

            private func refusals(_ server: ServerProcess) -> Int64 {
                let lines = server.logText.split(separator: "\n")
                return Int64(lines.count { $0.contains("a connection could not be accepted") })
            }
        }
    }

    /// Sets how many files a server may have open from now on, without changing the maximum to which it may raise this.
    private func allow(files: Int, to server: ServerProcess) throws {
        let folder = try TemporaryFolder()
        let output = folder.path + "/said"
        let tool = try ChildProcess(
            "/usr/bin/prlimit", ["--pid", "\(try server.process.id)", "--nofile=\(files):"], output: output,
            errors: output)
        #expect(tool.wait() == .exited(0))
    }
#endif
