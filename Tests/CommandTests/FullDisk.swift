#if os(Linux)
    import Foundation
    import NephosTesting

    /// `full-disk.c`, ready to be loaded into processes: their disk is full whenever the test says so.
    final class FullDisk: Sendable {
        enum Kind: CaseIterable {
            /// No file grows; what is there can be overwritten.
            case plain
            /// Overwriting needs room too.
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

        /// What gives a process this disk, on which all temporary folders lie.
        var environment: [String: String] {
            let copies = kind == .copyingOnWrite ? ["FULL_DISK_COPIES": "1"] : [:]
            return library.environment.merging(["FULL_DISK_FLAG": flag]) { $1 }.merging(copies) { $1 }
        }

        func fill() throws { try writeFile(flag, []) }

        func makeRoom() throws { try FileManager.default.removeItem(atPath: flag) }
    }
#endif
