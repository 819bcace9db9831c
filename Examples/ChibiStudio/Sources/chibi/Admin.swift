#if Internal
    import CloudKit

    /// What only internal builds have: flags are switched for everybody. The app does not ask who may: the server knows, and whoever
    /// gets hold of such a build can do what they could do before.
    struct Admin {
        let database = CKContainer.default().publicCloudDatabase

        /// Changes the flag's record as whoever is signed in.
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
