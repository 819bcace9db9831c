import CloudKit
import Communications
import CommunicationsCloudKit

/// Shows the article's record as a message of the article's type: what is in it by language, its buttons, and what the first of them does.
///
/// - Parameter arguments: The version of the app.
func runMessages(_ arguments: [String]) {
    Task {
        var audience = CommunAudience()
        audience.appVersion = arguments[0]
        let getter = CloudCommunGetter(container: .default())
        do {
            let found = try await getter.getCommunication(CommunQuestion(audience))
            guard let found, let commun = Commun(found, { print("acts: \($0)") }) else {
                return print("failed: nothing")
            }
            show(commun)
            print("end")
        } catch {
            print("failed: \(error)")
        }
    }
}

private func show(_ commun: Commun) {
    for language in ["en", "es"] {
        print("\(commun.identifier) \(language): \(commun.title[language] ?? ""). \(commun.content[language] ?? "")")
    }
    print("picture: \(commun.imageLabel["en"] ?? "")")
    switch commun.type {
    case .information(let okay): print("[\(okay["es"] ?? "")]")
    case .newVersion(let okay, _, _, _, true): print("[\(okay["es"] ?? "")]")
    case .newVersion(_, let go, let cancel, let action, false), .email(let go, let cancel, let action),
        .website(let go, let cancel, let action):
        print("[\(go["es"] ?? "")] [\(cancel["es"] ?? "")]")
        action()
    }
}
