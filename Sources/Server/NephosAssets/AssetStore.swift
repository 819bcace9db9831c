package import NephosStorage

/// Stores the files of assets. It is independent of records, and takes no locks: see ``AssetFile`` for why none are needed.
///
/// Any thread may call it, and several servers may share its files. Every call may block for the disk.
package protocol AssetStore: Sendable {
    /// Creates a file that is invisible until it is published.
    func create(in home: AssetHome) throws(AssetError) -> any AssetDraft

    /// Opens a published file. On a local disk it can be read to its end even if it is removed meanwhile; elsewhere reading may
    /// end with ``AssetError/missing``.
    ///
    /// - Throws: ``AssetError/missing`` if there is no such file.
    func open(_ file: AssetFile) throws(AssetError) -> any AssetContent

    /// Removes a file; a missing one is not an error. The row that named it must be gone, and its removal committed.
    ///
    /// It does not wait for the disk: after a power loss the file may exist again, and is found by ``files(of:_:)``.
    func remove(_ file: AssetFile) throws(AssetError)

    /// Visits every file of a home, in no particular order. Files that are published or removed meanwhile may be visited or not.
    /// The body may remove files.
    ///
    /// Names that this store did not create are skipped.
    ///
    /// - Throws: ``AssetError``, and the errors of the body.
    func files(in home: AssetHome, _ body: (StoredAsset) throws -> Void) throws

    /// Removes all files of a home, atomically for readers.
    ///
    /// After an error the rest is removed by ``removeAbandoned(olderThan:)``, or by calling it again.
    func removeAll(in home: AssetHome) throws(AssetError)

    /// Removes drafts that were abandoned because their process died, and the rest of removed homes.
    ///
    /// - Parameter cutoff: Drafts last written before this time are removed, including ones still in use: publishing such a draft
    ///   throws ``AssetError/missing``. By the file store's clock.
    /// - Returns: The number removed.
    func removeAbandoned(olderThan cutoff: Milliseconds) throws(AssetError) -> Int
}
