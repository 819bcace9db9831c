import Foundation

@main
struct Program {
    static let usage = """
        chibi                    the features of the studio, and whatever changes
        chibi --once             the features, once
        chibi --records          the same, from the flags' records, as Apple's service would have them
        chibi gallery            the drawings that are published, the newest first
        chibi widget             one of them: the same all day
        chibi admin on|off FLAG  switch a flag for everybody (internal builds)
        chibi admin publish DRAWING [in=SECONDS] [for=SECONDS] [version=VERSION] [languages=ONE,ANOTHER]
                                 publish a drawing (internal builds)
        chibi admin withdraw DRAWING

        NEPHOS_URL, NEPHOS_CONTAINER and NEPHOS_API_TOKEN say where the server is, NEPHOS_WEB_AUTH_TOKEN who is signed in,
        CHIBI_LOCALE whose language is served, CHIBI_VERSION which version of the app asks, CHIBI_DEVICE what stands for the device,
        CHIBI_FOLDER where drawings are kept.
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        switch (arguments.first, arguments.count) {
        case (nil, 0): await Studio(try settings()).show()
        case ("--once", 1): try await Studio(try settings()).showOnce()
        case ("--records", 1): try await Studio(try settings(), readsRecords: true).showOnce()
        case ("gallery", 1): try await Gallery(try settings()).show()
        case ("widget", 1):
            let settings = try settings()
            try await Gallery(settings, isWidget: true).showOne(for: settings.device ?? "nobody")
        case ("admin", 3...) where ["publish", "withdraw"].contains(arguments[1]):
            #if Internal
                try await AdminForm(Gallery(try settings()).content).carryOut(Array(arguments.dropFirst()))
            #else
                throw Complaint("This build cannot publish. Build with: swift build --traits Internal")
            #endif
        case ("admin", 3) where ["on", "off"].contains(arguments[1]):
            #if Internal
                try await Admin().set(arguments[2], arguments[1])
            #else
                throw Complaint("This build cannot switch flags. Build with: swift build --traits Internal")
            #endif
        default: throw Complaint(usage)
        }
    }

    private static func settings() throws -> Settings { try Settings(ProcessInfo.processInfo.environment) }
}

/// An error that ends the program, as a text for people.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Prints a line to standard output, without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func complain(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
