import CloudKitWire
import NephosDomain
import NephosStorage

/// Something that settings name under trends.
enum Tracked: Sendable, Equatable {
    /// A type that is shown.
    case type(Name)
    /// A type whose records in private databases are counted.
    case privateType(Name)
    case split(Name, Name)
    /// A list; a nil kind matches any.
    case list(Name, Name, TrendPart.Kind?)

    /// The type, or the type and its field, for people.
    var what: String {
        switch self {
        case .type(let type), .privateType(let type): type.text
        case .split(let type, let field), .list(let type, let field, _): "\(type).\(field)"
        }
    }

    /// The options that add it, for use after the container in a command.
    var words: String {
        switch self {
        case .type(let type): "--type \(type)"
        case .privateType(let type): "--private \(type)"
        case .split(let type, let field): "--split \(type).\(field)"
        case .list(let type, let field, nil): "--list \(type).\(field)"
        case .list(let type, let field, let kind?):
            switch TrendPart(type, field, kind).of {
            case nil, "newest": "--list \(type).\(field)"
            case let of?: "--list \(type).\(field) --of \(of.asShellWord)"
            }
        }
    }
}

extension String {
    /// Quoted as one shell word if necessary.
    fileprivate var asShellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.:".utf8.contains(byte)
        }
        return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}

extension TrendSettings {
    /// The settings with this added.
    ///
    /// - Returns: nil if they name it already.
    /// - Throws: ``TrendFailure`` if the schema does not have it, or if it cannot be counted.
    func tracking(_ tracked: Tracked, in catalog: Catalog) throws(TrendFailure) -> TrendSettings? {
        switch tracked {
        case .type(let name):
            try Self.requireType(of: name, in: catalog)
            guard let types, !types.contains(name) else { return nil }
            return with(types: types + [name], privateTypes: privateTypes, parts: parts)
        case .privateType(let name):
            try Self.requireType(of: name, in: catalog)
            guard !privateTypes.contains(name) else { return nil }
            return with(types: types, privateTypes: privateTypes + [name], parts: parts)
        case .split(let type, let field): return try tracking(TrendPart(type, field, .split), in: catalog)
        case .list(let type, let field, let kind):
            return try tracking(TrendPart(type, field, kind ?? .newest), in: catalog)
        }
    }

    private func tracking(_ part: TrendPart, in catalog: Catalog) throws(TrendFailure) -> TrendSettings? {
        if let mismatch = part.mismatch(in: catalog) { throw TrendFailure(mismatch.reason(part.type, part.field)) }
        guard !parts.contains(part) else { return nil }
        return with(types: types, privateTypes: privateTypes, parts: parts + [part])
    }

    private static func requireType(of type: Name, in catalog: Catalog) throws(TrendFailure) {
        guard catalog.types[type] != nil else { throw TrendFailure(TrendMismatch.noType.reason(type)) }
    }

    /// The settings without this.
    ///
    /// - Parameter catalog: If all types are shown, the remaining ones are named explicitly.
    /// - Returns: nil if the settings do not name it.
    /// - Throws: ``TrendFailure`` if several lists match.
    func untracking(_ tracked: Tracked, in catalog: Catalog) throws(TrendFailure) -> TrendSettings? {
        switch tracked {
        case .type(let name):
            let shown = types ?? shown(false, in: catalog)
            guard shown.contains(name) else { return nil }
            return with(types: shown.filter { $0 != name }, privateTypes: privateTypes, parts: parts)
        case .privateType(let name):
            guard privateTypes.contains(name) else { return nil }
            return with(types: types, privateTypes: privateTypes.filter { $0 != name }, parts: parts)
        case .split(let type, let field): return without([TrendPart(type, field, .split)].filter(parts.contains))
        case .list(let type, let field, let kind):
            let meant = lists.filter { $0.type == type && $0.field == field && (kind == nil || $0.kind == kind) }
            guard meant.count < 2 else {
                let ways = meant.compactMap(\.of).map { "--of \($0.asShellWord)" }.joined(separator: ", ")
                throw TrendFailure("\(type).\(field) is counted in several ways: choose one with \(ways)")
            }
            return without(meant)
        }
    }

    private func without(_ gone: [TrendPart]) -> TrendSettings? {
        guard !gone.isEmpty else { return nil }
        return with(types: types, privateTypes: privateTypes, parts: parts.filter { !gone.contains($0) })
    }
}

extension TrendMismatch {
    /// As a state in a list.
    var text: String {
        switch self {
        case .noType: "no such record type"
        case .noField: "no such field"
        case .encrypted: "encrypted"
        case .noList: "no list"
        case .unsplittable: "cannot be split"
        }
    }

    /// An explanation for the user, with what to do instead.
    func reason(_ type: Name, _ field: Name = "") -> String {
        switch self {
        case .noType: "there is no record type \(type.excerpt): add it with nephos schema import first"
        case .noField: "\(type) has no field \(field.excerpt): add it with nephos schema import first, or name another"
        case .encrypted: "\(type).\(field) is encrypted, so the server cannot count by it: name another field"
        case .noList: "\(type).\(field) is not a list: name a list, or split by it with --split"
        case .unsplittable: "\(type).\(field) cannot be used for a split: only a STRING, an INT64 or a DOUBLE can"
        }
    }
}
