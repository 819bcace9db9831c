import RequestTesting

/// Every operation on existing and missing records, with all kinds of tags; batches; ownership of records.
enum Saves {
    static var requests: [RecordedRequest] {
        databases.flatMap { operations(of: $0.name, $0.path, $0.zone) } + batches + atomicFailures + zones + options
            + rights + names
    }

    static let kinds = ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"]
    private static let databases = [
        (name: "default", path: "private", zone: nil), (name: "custom", path: "private", zone: "One"),
        (name: "public", path: "public", zone: String?.none),
    ]

    /// One operation.
    ///
    /// - Parameter members: Members of the record in addition to its name.
    static func operation(_ kind: String, _ name: String, _ members: String...) -> String {
        let record = ([#""recordName":"\#(name)""#] + members).joined(separator: ",")
        return #"{"operationType":"\#(kind)","record":{\#(record)}}"#
    }

    static let thing = #""recordType":"Thing""#

    static func fields(_ fields: String) -> String { #""fields":{\#(fields)}"# }

    static func modify(
        in database: String = "private", zone: String? = nil, _ operations: [String], _ members: String...,
        by caller: SmallCloud.Caller = .person, as name: String? = nil
    ) -> RecordedRequest {
        let zone = zone.map { [#""zoneID":{"zoneName":"\#($0)"}"#] } ?? []
        let list = #""operations":[\#(operations.joined(separator: ","))]"#
        let body = "{" + (zone + members + [list]).joined(separator: ",") + "}"
        return RecordedRequest(caller, "\(database)/records/modify", body, as: name)
    }

    private static func operations(of name: String, _ path: String, _ zone: String?) -> [RecordedRequest] {
        let count = kinds.count * 3
        let first = (0..<count).map { operation("create", "\(name)-\($0)", thing, fields(#""int":{"value":1}"#)) }
        let second = (0..<count).map { operation("forceUpdate", "\(name)-\($0)", fields(#""text":{"value":"a"}"#)) }
        func tag(_ number: Int) -> [String] {
            switch number % 3 {
            case 0: []
            case 1: [#""recordChangeTag":"$(\#(name)2/records/\#(number)/recordChangeTag)""#]
            default: [#""recordChangeTag":"$(\#(name)1/records/\#(number)/recordChangeTag)""#]
            }
        }
        let there = (0..<count).map { number in
            let members =
                ([#""recordName":"\#(name)-\#(number)""#, thing, fields(#""double":{"value":1.5}"#)] + tag(number))
                .joined(separator: ",")
            return modify(
                in: path, zone: zone, [#"{"operationType":"\#(kinds[number / 3])","record":{\#(members)}}"#],
                #""atomic":false"#)
        }
        let missing = kinds.flatMap { kind in
            [[thing], [#""recordChangeTag":"1""#]].enumerated().map { number, members in
                let names = ([#""recordName":"\#(name)-\#(kind)-\#(number)""#] + members).joined(separator: ",")
                return modify(in: path, zone: zone, [#"{"operationType":"\#(kind)","record":{\#(names)}}"#])
            }
        }
        return [
            modify(in: path, zone: zone, first, as: "\(name)1"), modify(in: path, zone: zone, second, as: "\(name)2"),
        ] + there
            + missing
    }
}
