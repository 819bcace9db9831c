package import NephosStorage

extension StorageError: CustomStringConvertible {
    /// What happened, and what to check, for the operator of the server: in errors of commands, and in logs.
    package var description: String {
        switch self {
        case .noSuchTenant: "The container was deleted."
        case .busy: "Too many writers are waiting. Try again in a moment."
        case .unavailable(let what):
            "The database cannot be reached: \(what). Check that PostgreSQL runs there, and the user, password and "
                + "database in --store or NEPHOS_STORE."
        case .full: "The disk is full. Free some space and try again; nothing was lost."
        case .readOnly:
            "The store cannot be written. Check who owns the data folder and how it is mounted, or whether the database "
                + "is read-only."
        case .denied(let what):
            "The store cannot be used: \(what). Run nephos as the user who owns the data folder, or give the folder to this "
                + "user: chown -R USER FOLDER"
        case .corrupt(let what):
            "The stored data is damaged: \(what). List the damage with nephos check, or restore a backup."
        case .newer(let what): "The data was written by a newer version of Nephos (\(what)). Use that version."
        case .noKey(let what): what
        case .unfinishedCopy:
            "This store is the unfinished copy of another. Finish it with nephos store copy, or use the other one."
        case .exists: "The name is taken."
        case .closed: "The store is closed."
        case .abandoned: "The read was canceled, because nothing waits for its result any more."
        case .postponed: "Nothing was removed: a feature has no room yet to record it. Try again later."
        case .failed(let what): "The store failed: \(what)"
        }
    }
}
