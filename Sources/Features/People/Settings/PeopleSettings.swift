import CloudKitWire
import NephosDomain
import NephosStorage

/// How people get access to an environment of a container: section `people` of its settings, which a deploy does not copy.
struct PeopleSettings: Sendable, Equatable {
    /// Who may create an account for an app.
    enum SignUp: String, Sendable, CaseIterable {
        /// Everybody.
        case open
        /// People whose account was created by the operator and who have never signed in.
        case invited
        /// Nobody.
        case closed
    }

    /// What pages show of the app.
    struct App: Sendable, Equatable {
        static let nameBytesMax = 100, linkBytesMax = 500

        /// Empty to show the name of the API token.
        var name = ""
        /// `#rrggbb`; empty for none.
        var color = ""
        /// Where people can read more about it; empty for nowhere.
        var link = ""
    }

    var signUp = SignUp.closed
    /// Whether new accounts need a verified address. Otherwise anybody can create one in the name of another.
    var verifiesEmail = true
    var app = App()

    init() {}

    init(_ json: inout JSONReader) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "signUp":
                let word = String(decoding: try json.readString(), as: UTF8.self)
                guard let known = SignUp(rawValue: word) else {
                    throw WireError("signUp must be open, invited or closed", offset: json.offset)
                }
                signUp = known
            case "verifyEmail": verifiesEmail = try json.readBool()
            case "app": app = try App(&json)
            default: throw WireError("people can only have signUp, verifyEmail and app", offset: json.offset)
            }
        }
    }
}

extension PeopleSettings.App {
    fileprivate init(_ json: inout JSONReader) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            let text = String(decoding: try json.readString(), as: UTF8.self)
            switch key {
            case "name":
                guard (1...Self.nameBytesMax).contains(text.utf8.count), !text.contains(where: \.isNewline) else {
                    throw WireError("name must be one line of 1 to \(Self.nameBytesMax) bytes", offset: json.offset)
                }
                name = text
            case "color":
                guard text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit) else {
                    throw WireError("color must have the form #1c64f2", offset: json.offset)
                }
                color = text.lowercased()
            case "link":
                guard text.utf8.count <= Self.linkBytesMax, let link = SignInCallback(text),
                    link.source.hasPrefix("https:")
                else {
                    throw WireError(
                        "link must begin with https:// and have at most \(Self.linkBytesMax) bytes", offset: json.offset
                    )
                }
                self.link = text
            case "logo": throw WireError("set the picture with nephos settings logo", offset: json.offset)
            default: throw WireError("app can only have name, color and link", offset: json.offset)
            }
        }
    }
}

extension CatalogSection<PeopleSettings> {
    static let people = CatalogSection(
        People.name, isDeployed: false, uses: { _ in [] },
        effects: { PeopleSettings.effects(from: $0 ?? PeopleSettings(), to: $1 ?? PeopleSettings()) }
    ) { json throws(WireError) in
        try PeopleSettings(&json)
    }
}

extension PeopleSettings {
    fileprivate static func effects(from old: Self, to new: Self) -> [SectionEffect] {
        var effects: [SectionEffect] = []
        if new.signUp != old.signUp {
            let isWider = new.signUp == .open || old.signUp == .closed
            effects.append(SectionEffect(isWider ? .opens : .closes, new.signUp.sentence))
        }
        if new.verifiesEmail != old.verifiesEmail, new.signUp != .closed {
            effects.append(
                new.verifiesEmail
                    ? SectionEffect(.closes, "accounts are created only for addresses that were verified")
                    : SectionEffect(
                        .opens,
                        "accounts are created without verifying the address, so anybody can create one in the name of another"
                    ))
        }
        return effects
    }
}

extension PeopleSettings.SignUp {
    fileprivate var sentence: String {
        switch self {
        case .open: "everybody can create an account"
        case .invited: "people whose account the operator has created can set it up, and nobody else"
        case .closed: "nobody can create an account"
        }
    }
}

/// Names that all parts of the feature share.
enum People {
    /// The name of the feature, its section and its job.
    static let name = "people"
}

extension Catalog {
    /// The environment's settings; if they cannot be read, nobody may sign up.
    var people: PeopleSettings {
        do { return try value(of: .people) ?? PeopleSettings() } catch { return PeopleSettings() }
    }
}

extension RequestingApp {
    /// Who may create an account for it; nil for nobody.
    var signUp: PeopleSettings.SignUp? {
        let policy = catalog.people.signUp
        return terms.signsUp && policy != .closed ? policy : nil
    }
}
