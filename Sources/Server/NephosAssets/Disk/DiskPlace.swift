/// The place of one file, and how a file comes to stand there for good.
struct DiskPlace: Sendable {
    let path: String
    /// From the store's own down to the one that the file is in.
    let folders: [String]

    /// In the folder of a file once the way to it is on the disk.
    ///
    /// Whoever finds a folder cannot see whether its maker lived to see it on the disk. Waiting for every folder of the way
    /// with every file would cost three writes more; this mark, made after such a wait, says that it is over. It goes
    /// wherever its folder goes.
    private static let mark = ".durable"

    func makeFolders(_ disk: Disk) throws(AssetError) {
        for folder in folders { try disk.makeFolder(folder) }
    }

    /// Waits until the name is on the disk, and with it those of the folders that lead to it.
    func synchronize(_ disk: Disk) throws(AssetError) {
        guard let last = folders.last else { return }
        try disk.synchronize(last)
        let mark = "\(last)/\(Self.mark)"
        if try disk.exists(mark) { return }
        for folder in folders.reversed().dropFirst() { try disk.synchronize(folder) }
        try disk.makeFile(mark)
    }
}
