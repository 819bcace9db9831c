import Foundation
import NephosTesting

extension Disk {
    /// Writes an image into an empty folder.
    static func write(_ image: Image, to folder: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (path, contents) in image.sorted(by: { $0.key < $1.key }) {
            if let contents {
                try Data(contents.bytes).write(to: URL(filePath: folder + "/" + path))
                try files.setAttributes([.posixPermissions: contents.mode], ofItemAtPath: folder + "/" + path)
            } else {
                try files.createDirectory(atPath: folder + "/" + path, withIntermediateDirectories: true)
            }
        }
        try giveToOrdinaryUser(folder)
    }

    /// The first difference between an image and a real folder; nil if there is none.
    static func difference(_ image: Image, folder: String) throws -> String? {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !isRebuilt($0) }
        if let path = Set(paths).symmetricDifference(image.keys).sorted().first {
            return image[path] == nil ? "\(path) was never recorded" : "\(path) is not in the folder"
        }
        for (path, contents) in image {
            guard let contents else { continue }
            let real = try Data(contentsOf: URL(filePath: folder + "/" + path))
            if real != Data(contents.bytes) { return "\(path) holds other bytes than were recorded" }
        }
        return nil
    }
}
