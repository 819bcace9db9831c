import Foundation
import NephosRunner
import NephosTesting
import Testing

/// docs/flags.md, "In Swift sources".
@Suite("Flags in Swift sources") struct SourceTests {
    private func write(_ text: String, to file: String, in folder: TemporaryFolder) throws -> String {
        let path = "\(folder.path)/\(file)"
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try TextFile(path: path).write(Array(text.utf8))
        return path
    }

    @Test("One file declares all flags by id, and is checked against the server (S0-42)")
    func generated() async throws {
        let own = try await FlagCloud()
        let folder = try TemporaryFolder(prefix: "nephos-flags")
        for (id, value) in [
            ("tipJar", "false"), ("chibiVersionCheck", "true"), ("title", #""a \"b\" \\(c)""#), ("ratio", "0.5"),
            ("limits", "{}"), ("default", "true"), ("2nd-try", "true"),
        ] {
            try await own.run("create", "CONTAINER", id, "--default", value)
        }
        try await own.run("create", "CONTAINER", "old", "--default", "true", "--expires", "2025-12-31")
        let file = folder.path + "/Sources/Flags.swift"
        _ = try write("", to: "Sources/Flags.swift", in: folder)
        let told = try await own.run("generate", "CONTAINER", file)
        #expect(told.notes == "Left out, since their values are JSON: limits.\n")
        let text = String(decoding: try TextFile(path: file).read(), as: UTF8.self)
        #expect(
            text == #"""
                // Made by nephos flag generate of iCloud.org.nephos.small/development. Make it anew instead of changing it.

                import FeatureSwitches
                // "limits": its value is JSON, which no type here stands for.

                extension FeatureFlag {
                    static let _2ndTry = FeatureFlag(id: "2nd-try", default: true, name: "2nd Try")
                    static let chibiVersionCheck = FeatureFlag(id: "chibiVersionCheck", default: true, name: "Chibi Version Check")
                    static let `default` = FeatureFlag(id: "default", default: true, name: "Default")
                    @available(*, deprecated, message: "It expired on 2025-12-31.")
                    static let old = FeatureFlag(id: "old", default: true, name: "Old")
                    static let tipJar = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
                }

                enum FeatureValues {
                    static let ratio = FeatureValue(id: "ratio", default: 0.5, name: "Ratio")
                    static let title = FeatureValue(id: "title", default: "a \"b\" \\(c)", name: "Title")
                }

                """#)
        let checked = try await own.run("check", "CONTAINER", folder.path)
        #expect(checked.failure == "1 place to look at." && checked.notes == "No source names: limits.\n")
        #expect(checked.output.contains("Sources/Flags.swift:11 | old | it expired on 2025-12-31"), "\(checked)")
        // What compiles here matches the interface of the kit.
        #expect(try await compiles(text, in: folder))
    }

    /// With a stand-in for the kit's type before it.
    private func compiles(_ text: String, in folder: TemporaryFolder) async throws -> Bool {
        let kit = """
            struct FeatureFlag: Sendable {
                init(id: String, default value: Bool, name: String? = nil) {}
            }
            struct FeatureValue<Value: Codable & Sendable>: Sendable {
                init(id: String, default value: Value, name: String? = nil) {}
            }

            """
        let path = try write(kit + text.replacing("import FeatureSwitches", with: ""), to: "all.swift", in: folder)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "6", path]
        return try await withCheckedThrowingContinuation { continuation in
            compiler.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
            do { try compiler.run() } catch { continuation.resume(throwing: error) }
        }
    }

    @Test("Two flags with the same Swift name are an error, and so is an invalid flag")
    func collision() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("tip-jar"), FlagCloud.boolean("tipJar")])
        #expect(
            try await own.run("generate", "CONTAINER").failure
                == "Flags tip-jar and tipJar would both be called tipJar in Swift.")
        try await own.run("delete", "CONTAINER", "tip-jar", "--yes")
        #expect(try await own.run("generate", "CONTAINER").output.contains("static let tipJar"))
        try await own.set(["flags": #"{"type":"Other"}"#])
        _ = try own.save([FlagCloud.boolean("broken", state: "maybe")])
        try await own.set(["flags": #"{"type":"FeatureFlag"}"#])
        #expect(try await own.run("generate", "CONTAINER").failure?.hasPrefix("broken is no flag: state") == true)
    }

    @Test("Sources that name a missing flag fail with file and line; comments and other strings are ignored")
    func checked() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("tipJar"), FlagCloud.boolean("silent"), FlagCloud.boolean("a\"b")])
        let folder = try TemporaryFolder(prefix: "nephos-flags")
        let source = #"""
            // FeatureFlag(id: "comment"
            /* FeatureFlag(id: "comment" /* inside */
            FeatureFlag(id: "comment" */
            let url = "https://example.org"; let a = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
            let b = FeatureFlag<Bool>(
                id: "gone", default: false, name: "")
            let c = FeatureFlag(id: "a\"b", default: false, name: ""), d = FeatureFlag(id: "\(x)", default: false, name: "")
            let e = MyFeatureFlag(id: "other")
            let f: FeatureFlag = .init(id: "short", default: false), g = FeatureValue(id: "value", default: 1)
            let h = FeatureSwitch(identifier: "old", isEnabledByDefault: false, displayName: "")
            """#
        let file = try write(source, to: "App/Deep/a.swift", in: folder)
        _ = try write(#"FeatureFlag(id: "note""#, to: "App/Deep/a.txt", in: folder)
        let told = try await own.run("check", "CONTAINER", folder.path + "/App")
        let lines = [(5, "gone"), (9, "short"), (9, "value"), (10, "old")].map {
            "\(file):\($0.0) | \($0.1) | there is no such flag\n"
        }
        #expect(told.output == "Place | Flag | What\n" + lines.joined(), "\(told)")
        #expect(told.failure == "4 places to look at." && told.notes == "No source names: silent.\n")
        let right = ["gone", "short", "value", "old"].reduce(source) { $0.replacing("\"\($1)\"", with: "\"silent\"") }
        _ = try write(right, to: "App/Deep/a.swift", in: folder)
        let fine = try await own.run("check", "CONTAINER", file, folder.path)
        #expect(fine.failure == nil && fine.notes == "Looked at 1 file: all is well.\n", "\(fine)")
        #expect(try await own.run("check", "CONTAINER", "/nowhere").failure == "There is no /nowhere.")
    }
}
