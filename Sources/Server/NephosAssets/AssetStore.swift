package import NephosStorage

/// Keeps the files of assets. It knows nothing of records, and takes no locks: see ``AssetFile`` for why none are needed.
///
/// Any thread may call it, and several servers may share what it keeps. Every call may wait for the disk.
package protocol AssetStore: Sendable {
    /// Begins a file that nobody sees until it is published.
    func create(in home: AssetHome) throws(AssetError) -> any AssetDraft

    /// Opens a published file. What was opened can be read to its end even if the file is removed meanwhile, where the files
    /// lie on a disk of this machine; elsewhere reading may end with ``AssetError/missing``.
    ///
    /// - Throws: ``AssetError/missing`` when there is no such file.
    func open(_ file: AssetFile) throws(AssetError) -> any AssetContent

    /// Removes a file; one that is not there is fine. The row that named it must be gone, and its removal committed.
    ///
    /// It does not wait for the disk: after a power cut the file may be there again, and is found by ``files(of:_:)``.
    func remove(_ file: AssetFile) throws(AssetError)

    /// Shows every file of a home, in no order. One that is published or removed meanwhile may be shown or not. The body may
    /// remove files.
    ///
    /// What this store has not named itself is passed over.
    ///
    /// - Throws: ``AssetError``, and what the body throws.
    func files(in home: AssetHome, _ body: (StoredAsset) throws -> Void) throws

    /// Removes all files of a home. From one moment on nobody finds any of them.
    ///
    /// After an error the rest is removed by ``removeAbandoned(olderThan:)``, or calling it again.
    func removeAll(in home: AssetHome) throws(AssetError)

    /// Removes drafts that nobody publishes any more, since their process died, and what is left of removed homes.
    ///
    /// - Parameter cutoff: Drafts that were written to before it go, also those that somebody still holds: publishing
    ///   such a one throws ``AssetError/missing``. By the clock of whoever keeps the files.
    /// - Returns: How many went.
    func removeAbandoned(olderThan cutoff: Milliseconds) throws(AssetError) -> Int
}
