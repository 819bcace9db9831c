import Audience
import CloudKitWire
import Foundation
import Testing

/// docs/vectors/audiences.json: test vectors for implementations in other languages.
@Suite("Golden vectors") struct VectorTests {
    /// A value of the file as written: order matters in splits.
    private struct Value {
        let bytes: ArraySlice<UInt8>

        private func reader() throws -> JSONReader { try JSONReader(bytes) }

        var members: [(key: String, value: Value)] {
            get throws {
                var members: [(key: String, value: Value)] = []
                var reader = try reader()
                try reader.readObject { json, key throws(WireError) in
                    members.append((key.name.text, Value(bytes: try json.skipValue())))
                }
                return members
            }
        }

        var elements: [Value] {
            get throws {
                var elements: [Value] = []
                var reader = try reader()
                try reader.readArray { json, _ throws(WireError) in elements.append(Value(bytes: try json.skipValue()))
                }
                return elements
            }
        }

        func optional(_ key: String) throws -> Value? { try members.first { $0.key == key }?.value }
        func at(_ key: String) throws -> Value { try #require(try optional(key), "\(key)") }

        /// A string as its text, anything else as written.
        var text: String {
            get throws {
                var reader = try reader()
                guard try reader.kind == .string else { return String(decoding: bytes, as: UTF8.self) }
                return String(decoding: try reader.readString(), as: UTF8.self)
            }
        }

        var number: Int64 {
            get throws {
                var reader = try reader()
                return try reader.readInt64()
            }
        }

        var texts: [String] { get throws { try elements.map { try $0.text } } }
        func read<Result>(_ body: (inout JSONReader) throws(WireError) -> Result) throws -> Result {
            var reader = try reader()
            return try body(&reader)
        }
    }

    private let file: Value

    init() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/vectors/audiences.json").standardized
        file = Value(bytes: Array(try Data(contentsOf: path))[...])
    }

    private func part(_ key: String) throws -> Value { try file.at(key) }

    @Test("Buckets, versions, ranges, locales and moments")
    func values() throws {
        for vector in try part("buckets").elements {
            let bucket = Bucket(salt: try vector.at("salt").text)
            let (key, number) = (try vector.at("targetingKey").text, Int(try vector.at("bucket").number))
            #expect(bucket.number(of: key) == number)
        }
        let versions = try part("versions").texts.map { try #require(Version($0)) }
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
        for text in try part("noVersions").texts { #expect(Version(text) == nil, "\(text)") }
        for vector in try part("ranges").elements {
            let text = try vector.at("range").text
            let range = try #require(VersionRange(text))
            for text in try vector.at("contains").texts {
                let other = try #require(Version(text))
                #expect(range.contains(other), "\(text)")
            }
            for text in try vector.at("excludes").texts {
                let other = try #require(Version(text))
                #expect(!range.contains(other), "\(text)")
            }
        }
        for text in try part("noRanges").texts { #expect(VersionRange(text) == nil, "\(text)") }
        for vector in try part("locales").elements {
            let text = try vector.at("locale").text
            let tag = try #require(LanguageTag(text))
            for text in try vector.at("covers").texts {
                let other = try #require(LanguageTag(text))
                #expect(tag.covers(other), "\(text)")
            }
            for text in try vector.at("excludes").texts {
                let other = try #require(LanguageTag(text))
                #expect(!tag.covers(other), "\(text)")
            }
        }
        for text in try part("noLocales").texts { #expect(LanguageTag(text) == nil, "\(text)") }
        for vector in try part("texts").elements {
            let texts = try vector.at("texts").texts.map { (name: $0, tag: try #require(LanguageTag($0))) }
            let locale = try vector.at("locale").text
            let wanted = (locale == "null" ? [] : [locale]) + (try vector.at("else").texts)
            let chosen = texts.nearest(to: wanted.compactMap { LanguageTag($0) }) { $0.tag } ?? texts[0]
            let expected = try vector.at("chosen").text
            #expect(chosen.name == expected, "\(wanted) of \(texts.map(\.name))")
        }
        for vector in try part("moments").elements {
            let (text, time) = (try vector.at("moment").text, try vector.at("milliseconds").number)
            #expect(moment(text) == time)
        }
        for text in try part("noMoments").texts { #expect(Moment.milliseconds(text) == nil, "\(text)") }
    }

    @Test("Recurrences")
    func recurrences() throws {
        for vector in try part("recurrences").elements {
            let recurrence = try vector.at("every").read { json throws(WireError) in try Recurrence(&json) }
            for window in try vector.at("windows").elements {
                let (from, until) = (moment(try window.texts[0]), moment(try window.texts[1]))
                #expect(!recurrence.contains(from - 1) && recurrence.contains(from))
                #expect(recurrence.contains(until - 1) && !recurrence.contains(until))
            }
        }
    }

    @Test("Conditions, valid and invalid")
    func conditions() throws {
        let book = try part("audiences").read { json throws(WireError) in try AudienceBook(&json) }
        let context = try context(part("context"), part("proved"), part("now"))
        for vector in try part("conditions").elements {
            let when = try vector.at("when")
            let set = FlagSet(
                [flag("f", rules: #"[{"id":"r","when":\#(try when.text),"serve":"on"}]"#), flag("needed")], book, now: 0
            )
            let evaluation = try set.evaluate("f", for: context)
            let fits = evaluation.passedOver != nil ? "null" : evaluation.variant.name == "on" ? "true" : "false"
            let (text, expected) = (try when.text, try vector.at("fits").text)
            #expect(fits == expected, "\(text)")
        }
        for value in try part("noConditions").elements {
            let text = try value.text
            #expect(throws: WireError.self, "\(text)") {
                try value.read { json throws(WireError) in
                    var reader = ConditionReader(salt: "f")
                    _ = try reader.read(&json)
                }
            }
        }
        for value in try part("noContexts").elements {
            let text = try value.text
            #expect(throws: WireError.self, "\(text)") { try self.context(value, Value(bytes: Array("{}".utf8)[...])) }
        }
        for vector in try part("unreadable").elements {
            let said = try vector.at("context")
            let unreadable = try self.context(said, Value(bytes: Array("{}".utf8)[...])).unreadable.keys
            let (text, expected) = (try said.text, try vector.at("properties").texts)
            #expect(Set(unreadable.map(\.rawValue)) == Set(expected), "\(text)")
        }
    }

    @Test("Evaluations")
    func evaluations() throws {
        let book = try part("audiences").read { json throws(WireError) in try AudienceBook(&json) }
        let flags = try part("flags").members.map { id, value in
            var fields = FlagFields(id: id)
            for (key, value) in try value.members {
                let text = try value.text
                switch key {
                case "kind": fields.kind = text
                case "state": fields.state = text
                case "variants": fields.variants = text
                case "offVariant": fields.offVariant = text
                case "defaultVariant": fields.defaultVariant = text
                case "rules": fields.rules = text
                case "prerequisites": fields.prerequisites = text
                case "schedule": fields.schedule = text
                case "salt": fields.salt = text
                default: Issue.record("a flag has \(key)")
                }
            }
            return (id: id, flag: Result { () throws(FlagFailure) in try Flag(fields) })
        }
        let set = FlagSet(flags, book, now: 0)
        for vector in try part("evaluations").elements {
            let context = try context(
                vector.at("context"), vector.at("proved"), vector.at("now"))
            for expected in try vector.at("expect").elements {
                let id = try expected.at("flag").text
                var found = ["flag": id]
                do throws(Evaluation.Failure) {
                    let evaluation = try set.evaluate(id, for: context)
                    (found["variant"], found["reason"]) = (evaluation.variant.name, evaluation.reason.rawValue)
                    found["value"] = String(decoding: evaluation.variant.json, as: UTF8.self)
                    (found["rule"], found["bucket"]) = (evaluation.rule, evaluation.bucket.map { "\($0)" })
                    (found["prerequisite"], found["passedOver"]) = (
                        evaluation.prerequisite, evaluation.passedOver?.rule
                    )
                } catch {
                    found["error"] = error.code
                }
                var wanted = Dictionary(
                    uniqueKeysWithValues: try expected.members.map { key, value in
                        (key, key == "value" ? String(decoding: value.bytes, as: UTF8.self) : try value.text)
                    })
                // Whitespace within a value is that of its record.
                wanted["value"]?.removeAll { $0.isWhitespace }
                found["value"]?.removeAll { $0.isWhitespace }
                #expect(found == wanted)
            }
        }
    }

    private func context(_ said: Value, _ proved: Value, _ now: Value? = nil) throws -> EvaluationContext {
        var context = EvaluationContext(now: try now?.number ?? 0)
        var reader = try JSONReader(said.bytes)
        try context.read(&reader)
        context.person = try proved.optional("person")?.text
        if let person = context.person { context.targetingKey = person }
        context.roles = try proved.optional("roles")?.texts ?? []
        for (name, value) in try proved.optional("facts")?.members ?? [] {
            context.facts[name] = try value.read { json throws(WireError) in try Scalar(&json) }
        }
        return context
    }
}
