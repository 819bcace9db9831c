import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let createFlag = UseCase(
        "flag create", .changes, abstract: "Create a flag.",
        discussion: """
            If the value is true or false, the flag has the variants off and on, and is switched on for true and off for false. With any other \
            value it has one variant, default, and is switched on.

            The first flag creates the record type FeatureFlag, which holders of the role Admin can change, and the section flags of the \
            settings, both in development; production gets them with nephos schema deploy.

            Examples:

              nephos flag create iCloud.com.example.app tipJar --default false \\
                --owner ada --expires 2027-06-30
              nephos flag create iCloud.com.example.app limits --default '{"photos":100}'
            """,
        .tenant, .flagID, Input<String>.option("default", valueName: "json", help: "The initial value."),
        .flagDetails
    ) { call, tenant, id, text, details in
        let value = try FlagValue(text)
        // Checked before anything is created.
        try value.check(id)
        let notes = try await FlagSetup(call: call, tenant: tenant).carryOut()
        let operations = try FlagOperations(call, tenant)
        let save = RecordSave(name: id, type: operations.type, old: nil, kind: .edit(value.fields + details))
        switch try await operations.carryOut([save]).first ?? nil {
        case nil: break
        case .recordExists?:
            throw AdminError.refused(
                "Flag \(id) already exists. See it with: \(call.command("flag show \(tenant.asTyped) \(id)"))")
        case let refusal?: throw refusal
        }
        return notes.reduce(
            UseCaseAnswer.note("Created flag \(id) in \(tenant.environment.rawValue), which is \(value.state).")
        ) { $0.noting($1) }
        .noting(value.isBoolean ? operations.missingMirrorField(of: id) : nil)
    }
}

/// The initial value and fields of a flag.
struct FlagValue {
    /// The value of the field `state`.
    let state: String
    let isBoolean: Bool
    let fields: [(field: Name, edit: FieldEdit)]

    /// - Parameter text: A value as JSON.
    init(_ text: String) throws(Failure) {
        let (kind, json): (Flag.Kind, JSONList.Bytes)
        let isTrue: Bool
        do throws(WireError) {
            var reader = try JSONReader(Array(text.utf8)[...])
            kind =
                switch try reader.kind {
                case .bool: .boolean
                case .string: .string
                case .number: .number
                case .object, .array, .null: .json
                }
            json = try reader.skipValue()
            try reader.finish()
            isTrue = json == Array("true".utf8)[...]
        } catch {
            throw Failure(
                "--default: \(WireError.excerpt(text)) is not valid JSON. Use true, false, a number, or a string in quotes: --default '\"blue\"'",
                kind: .wrongUsage)
        }
        isBoolean = kind == .boolean
        state = !isBoolean || isTrue ? "on" : "off"
        let variants =
            isBoolean ? #"{"off":false,"on":true}"# : "{\"default\":\(String(decoding: json, as: UTF8.self))}"
        fields = [
            (FlagField.state, .text(state)), (FlagField.kind, .text(kind.rawValue)),
            (FlagField.variants, .text(variants)),
            (FlagField.offVariant, .text(isBoolean ? "off" : "default")),
            (FlagField.defaultVariant, .text(isBoolean ? "on" : "default")),
        ]
    }
}

extension FlagValue {
    /// - Throws: If the ID or the value is not valid for a flag.
    fileprivate func check(_ id: String) throws {
        try NameRules.check(Name(id), what: "a flag's id")
        guard !id.hasPrefix("_") else {
            throw Failure("A flag's id must not start with '_': such names belong to the server.")
        }
        guard
            fields.allSatisfy({
                if case .text(let text) = $0.edit { text.utf8.count <= Flag.documentBytesMax } else { true }
            })
        else { throw Failure("The value can have at most \(Flag.documentBytesMax) bytes, including its name.") }
    }
}

extension Input where Value == [(field: Name, edit: FieldEdit)] {
    /// Descriptive fields for people.
    static var flagDetails: Input {
        Input(
            Input<String?>.option("note", help: "What it is for."),
            Input<String?>.option("owner", help: "The person responsible for it."),
            Input<String?>.option(
                "expires", valueName: "date", help: "The date after which it should no longer be needed.")
        ) { note, owner, expires throws(WrongInput) in
            var fields: [(field: Name, edit: FieldEdit)] = []
            if let note { fields.append((FlagField.note, .text(note))) }
            if let owner { fields.append((FlagField.owner, .text(owner))) }
            if let expires {
                guard let time = FlagDate.milliseconds(expires) else {
                    throw WrongInput(
                        "\(expires) is not a date: pass a day such as 2027-06-30, or a time such as 2027-06-30T08:00:00Z."
                    )
                }
                fields.append((FlagField.expires, .time(time)))
            }
            return fields
        }
    }
}
