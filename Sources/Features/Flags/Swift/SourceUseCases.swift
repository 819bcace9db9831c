import Audience
import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCase {
    static let generateFlags = UseCase(
        "flag generate", .reads, abstract: "Write a Swift file that declares all flags.",
        discussion: """
            Each flag gets the value that is served to an unknown user: an app uses it until it has received values from the server. Expired \
            flags are marked as deprecated.

            Example:

              nephos flag generate iCloud.com.example.app Sources/App/Flags.swift
            """,
        .tenant, Input<OutputFile?>.argument("file", help: "The file; standard output if omitted.")
    ) { call, tenant, file in
        let (operations, now) = (try FlagOperations(call, tenant), call.now())
        let source = try SwiftFlagFile(operations.all(), try operations.set(at: now), of: tenant, at: now)
        return .bytes(Array(source.text.utf8), into: file)
            .noting(
                source.leftOut.isEmpty
                    ? nil : "Omitted, since their values are JSON: \(source.leftOut.joined(separator: ", ")).")
    }

    static let checkFlags = UseCase(
        "flag check", .reads, lists: true,
        abstract: "Find unknown and expired flags in Swift sources.",
        discussion: """
            It looks for FeatureFlag(id: "…" in files that end in .swift, and fails if it finds flags that the server does not have, or that have \
            expired. Flags that no source names are listed too.

            Example:

              nephos flag check iCloud.com.example.app Sources
            """,
        .tenant, Input<[String]>.argument("path", help: "Swift files, or folders of them.")
    ) { call, tenant, paths in
        // Before the store is used, whose owner may not be allowed to read them.
        var files: Set<InputFile> = []
        var places: [(file: InputFile, place: SwiftScan.Place)] = []
        for path in paths {
            for file in try InputFile(path: path).files(endingIn: ".swift") where files.insert(file).inserted {
                let source = String(decoding: try call.contents(of: file), as: UTF8.self)
                places += SwiftScan(source).places.map { (file, $0) }
            }
        }
        let (flags, now) = (try FlagOperations(call, tenant).all(), call.now())
        let known = Dictionary(flags.map { ($0.record.name, $0) }) { first, _ in first }
        var named: Set<Name> = []
        var rows: [[String]] = []
        for (file, place) in places {
            named.insert(Name(place.id))
            guard let reason = known[Name(place.id)].flaw(at: now, named: place.id, among: flags) else { continue }
            rows.append(["\(file.path):\(place.line)", place.id, reason])
        }
        let silent = flags.filter { !named.contains($0.record.name) }.map(\.id)
        return UseCaseAnswer.table(
            ["Place", "Flag", "What"], rows,
            whenEmpty: "Checked \(files.count) \(files.count == 1 ? "file" : "files"): no problems found."
        )
        .noting(named.isEmpty ? "They use no flag: only those created as FeatureFlag(id: \"…\") are recognized." : nil)
        .noting(silent.isEmpty ? nil : "Flags that no checked file uses: \(silent.joined(separator: ", ")).")
        .failing(rows.isEmpty ? nil : "\(rows.count) \(rows.count == 1 ? "place" : "places") to fix.")
    }
}

extension StoredFlag? {
    /// Why sources should not use it; nil if they may.
    fileprivate func flaw(at now: Milliseconds, named id: String, among flags: [StoredFlag]) -> String? {
        guard let self else {
            let nearest = Spelling.nearest(to: id, in: flags.lazy.map(\.id))
            return "there is no such flag" + (nearest.map { "; did you mean \($0)?" } ?? "")
        }
        guard self.isExpired(at: now), let expires = self.expires else { return nil }
        return "it expired on \(expires.asDate.prefix(10))"
    }
}

extension SwiftFlagFile {
    /// - Throws: If a record is not a valid flag, or if two flags would have the same Swift name.
    fileprivate init(_ flags: [StoredFlag], _ set: FlagSet, of tenant: Tenant, at now: Milliseconds) throws {
        var entries: [Entry] = []
        var leftOut: [String] = []
        var members: [String: String] = [:]
        for flag in flags {
            let read = try flag.read()
            guard let type = read.swiftType else {
                leftOut.append(flag.id)
                continue
            }
            let member = SwiftName.member(for: flag.id)
            if let other = members.updateValue(flag.id, forKey: member) {
                throw Failure("Flags \(other) and \(flag.id) would both be called \(member) in Swift.")
            }
            let served = (try? set.evaluate(flag.id, for: EvaluationContext(now: now)))?.variant ?? read.offVariant
            entries.append(
                Entry(
                    id: flag.id, member: member, type: type, value: try served.swift(type),
                    name: flag.displayName ?? SwiftName.display(flag.id),
                    expired: flag.isExpired(at: now) ? flag.expires.map { String($0.asDate.prefix(10)) } : nil))
        }
        self.init(origin: "\(tenant)", entries: entries, leftOut: leftOut)
    }
}

extension Flag {
    fileprivate var swiftType: String? {
        switch kind {
        case .boolean: "Bool"
        case .string: "String"
        case .number: "Double"
        case .json: nil
        }
    }
}

extension Flag.Variant {
    /// Its value as a Swift literal.
    fileprivate func swift(_ type: String) throws(WireError) -> String {
        guard type == "String" else { return String(decoding: json, as: UTF8.self) }
        var reader = try JSONReader(json[...])
        return SwiftFlagFile.literal(String(decoding: try reader.readString(), as: UTF8.self))
    }
}
