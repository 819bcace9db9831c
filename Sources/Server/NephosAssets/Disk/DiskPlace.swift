/// The place of one file, and how the file is made durable there.
struct DiskPlace: Sendable {
    let path: String
    /// From the store's own folder down to the one that contains the file.
    let folders: [String]

    /// A file in the last folder, created once the path to it is on the disk.
    ///
    /// A process that finds a folder cannot see whether it is on the disk yet. Synchronizing every folder of the path with every
    /// file would cost three more writes; this mark, created after such a synchronization, shows that it was done. It moves with
    /// its folder.
    private static let mark = ".durable"

    func createFolders(_ disk: Disk) throws(AssetError) {
        for folder in folders { try disk.createFolder(folder) }
    }

    /// Waits until the name is on the disk, and the names of the folders on its path.
    func synchronize(_ disk: Disk) throws(AssetError) {
        guard let last = folders.last else { return }
        try disk.synchronize(last)
        let mark = "\(last)/\(Self.mark)"
        if try disk.exists(mark) { return }
        for folder in folders.reversed().dropFirst() { try disk.synchronize(folder) }
        try disk.createFile(mark)
    }
}
