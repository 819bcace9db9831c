import CloudKit

func runUser(_ arguments: [String]) {
    fetchUser(of: CKContainer.default()) { id, error in
        print("user", id?.recordName ?? "\(String(describing: error))")
    }
}
