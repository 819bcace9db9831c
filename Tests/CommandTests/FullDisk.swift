#if os(Linux)
    import Foundation
    import NephosTesting

    /// `full-disk.c`, compiled for preloading into processes: their disk is full when a test requires it.
    final class FullDisk: Sendable {
        enum Kind: CaseIterable {
            /// Files cannot grow; existing bytes can be overwritten.
            case plain
            /// Overwriting requires space, too.
            case copyingOnWrite
        }

        private let library: PreloadedLibrary
        private let flag: String
        private let kind: Kind

        init(_ kind: Kind) throws {
            library = try PreloadedLibrary("full-disk")
            flag = library.folder.path + "/full"
            self.kind = kind
        }

        /// The environment that gives a process this disk, which contains all temporary folders.
        var environment: [String: String] {
            let copies = kind == .copyingOnWrite ? ["FULL_DISK_COPIES": "1"] : [:]
            return library.environment.merging(["FULL_DISK_FLAG": flag]) { $1 }.merging(copies) { $1 }
        }

        func fill() throws { try writeFile(flag, []) }

        func makeRoom() throws { try FileManager.default.removeItem(atPath: flag) }
    }
#endif
