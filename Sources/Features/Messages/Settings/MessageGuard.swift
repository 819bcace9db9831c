import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Refuses settings whose type cannot hold messages.
    static let messages = SectionGuard(
        of: Messages.name,
        mismatch: { document, schema throws(AdminError) in try MessageSettings.read(document).mismatch(in: schema) },
        settle: { move throws(AdminError) in
            // Records saved before their type was the type of messages have due times, too. A server records them.
            let now = move.administration.inputs.now()
            try await move.administration.commit(to: move.store, ReadSet()) { _ in
                var set = WriteSet()
                set.ask(for: Messages.name, at: now)
                set.ask(for: FollowMirror.job, at: now)
                set.ask(for: ForgetSeen.job, at: now)
                return .write(set, ())
            }
        })
}

extension MessageSettings {
    fileprivate static func read(_ document: Bytes) throws(AdminError) -> MessageSettings {
        do throws(WireError) {
            var json = try JSONReader(document)
            return try MessageSettings(&json)
        } catch {
            throw .refused("messages: \(error)")
        }
    }

    /// The first thing that a schema lacks for messages; nil if it has all.
    fileprivate func mismatch(in schema: Schema) -> String? {
        guard let known = schema[type: type] else { return "messages.type: there is no record type \(type)" }
        // All other fields are optional.
        for (field, kind) in [
            (MessageField.kind, FieldType.string), (MessageField.title, .string), (MessageField.body, .string),
            (MessageField.buttons, .string), (MessageField.audience, .string), (MessageField.slot, .string),
            (MessageField.publishedAt, .timestamp), (MessageField.until, .timestamp),
        ] {
            guard let field = known[field: field] else { return "messages.type: \(type) has no field \(field)" }
            guard field.type.kind == kind, !field.type.isEncrypted else {
                return "messages.type: \(field.name) of \(type) must be \(kind.tag)"
            }
        }
        return mirror.flatMap { Template.mismatch($0, in: schema) }.map { "messages.mirror: \($0)" }
    }
}
