#if Internal
    import CloudKit

    /// Switches flags for everybody; only in internal builds. The app does not check permissions, because the server does: a person
    /// who gets such a build has no more rights than before.
    struct Admin {
        let database = CKContainer.default().publicCloudDatabase

        /// Changes the flag's record as the signed-in person.
        func set(_ id: String, _ state: String) async throws {
            do {
                let flag = try await database.record(for: CKRecord.ID(recordName: id))
                flag["state"] = state
                try await database.save(flag)
            } catch let error as CKError {
                switch error.code {
                case .permissionFailure: throw Complaint("Refused: \(error.localizedDescription)")
                case .notAuthenticated: throw Complaint("Refused: nobody is signed in.")
                case .unknownItem: throw Complaint("There is no flag \(id).")
                default: throw error
                }
            }
            say("\(id) is \(state).")
        }
    }
#endif
