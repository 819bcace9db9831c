import RequestTesting

/// References, parents, and dependent deletions.
enum References {
    static var requests: [RecordedRequest] {
        cascades("private", "One") + cascades("public", nil) + parents + validated + strangers
    }

    private static func link(_ target: String, _ action: String) -> String {
        Saves.fields(#""link":{"value":{"recordName":"\#(target)","action":"\#(action)"}}"#)
    }

    private static func create(_ name: String, _ members: String...) -> String {
        #"{"operationType":"create","record":{\#(([#""recordName":"\#(name)""#, Saves.thing] + members).joined(separator: ","))}}"#
    }

    private static func parent(_ name: String) -> String { #""parent":{"recordName":"\#(name)"}"# }

    private static func lookUp(_ database: String, _ zone: String?, _ names: String...) -> RecordedRequest {
        let zone = zone.map { #""zoneID":{"zoneName":"\#($0)"},"# } ?? ""
        let records = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
        return RecordedRequest(.person, "\(database)/records/lookup", #"{\#(zone)"records":[\#(records)]}"#)
    }

    private static func cascades(_ database: String, _ zone: String?) -> [RecordedRequest] {
        func modify(_ operations: String...) -> RecordedRequest { Saves.modify(in: database, zone: zone, operations) }
        return [
            modify(create("c1"), create("c2", link("c1", "DELETE_SELF")), create("c3", link("c2", "DELETE_SELF"))),
            modify(create("c4", link("c5", "DELETE_SELF")), create("c5", link("c4", "DELETE_SELF"))),
            modify(create("c6", link("c6", "DELETE_SELF")), create("c7", link("gone", "DELETE_SELF"))),
            modify(Saves.operation("delete", "c1")), lookUp(database, zone, "c1", "c2", "c3"),
            modify(Saves.operation("delete", "c4")), lookUp(database, zone, "c4", "c5"),
            modify(Saves.operation("delete", "c6")),
            modify(create("c8"), create("c9", link("c8", "DELETE_SELF"))),
            modify(
                Saves.operation("delete", "c8"),
                Saves.operation("forceUpdate", "c9", Saves.fields(#""int":{"value":1}"#))),
            lookUp(database, zone, "c8", "c9"), modify(Saves.operation("forceUpdate", "c9", link("c9", "NONE"))),
        ]
    }

    private static var parents: [RecordedRequest] {
        func modify(_ operations: String...) -> RecordedRequest { Saves.modify(zone: "One", operations) }
        return [
            modify(create("p2", parent("p1")), create("p1")), modify(create("p3", parent("gone"))),
            modify(create("p4", parent("p4"))),
            modify(create("p5", parent("p6")), create("p6", parent("p5"))), modify(Saves.operation("delete", "p1")),
            modify(Saves.operation("forceReplace", "p2", Saves.thing)), lookUp("private", "One", "p2"),
            modify(Saves.operation("forceUpdate", "p2", #""parent":null"#)), modify(Saves.operation("delete", "p1")),
            modify(create("p7", #""parent":{"recordName":"p2","zoneID":{"zoneName":"One"}}"#)),
            modify(create("p8", #""parent":{"recordName":"p2","zoneID":{"zoneName":"Notes"}}"#)),
            modify(create("p9", #""parent":{}"#)), modify(create("p10", #""parent":"p2""#)),
            modify(Saves.operation("delete", "p2"), Saves.operation("delete", "p7")),
            modify(create("p11"), create("p12", parent("p11"))),
            modify(Saves.operation("forceDelete", "p11")).with(RecordedRequest.extras),
        ]
    }

    private static var validated: [RecordedRequest] {
        func modify(_ operations: String..., members: String = #""atomic":false"#) -> RecordedRequest {
            Saves.modify(zone: "One", operations, members)
        }
        return [
            modify(create("v1", link("gone", "VALIDATE"))), modify(create("v2"), create("v3", link("v2", "VALIDATE"))),
            modify(Saves.operation("delete", "v2")),
            modify(Saves.operation("delete", "v2"), members: #""atomic":true"#),
            modify(Saves.operation("delete", "v2"), Saves.operation("delete", "v3")),
            modify(create("v4", link("v5", "VALIDATE")), Saves.operation("update", "none")),
            modify(create("v6"), create("v7", link("v6", "DELETE_SELF")), create("v8", parent("v7"))),
            modify(Saves.operation("delete", "v6")), lookUp("private", "One", "v6", "v7", "v8"),
        ]
    }

    /// Other users' records in the public database.
    private static var strangers: [RecordedRequest] {
        func modify(_ caller: SmallCloud.Caller, _ operations: String...) -> RecordedRequest {
            Saves.modify(in: "public", operations, by: caller)
        }
        let diary = #"{"operationType":"create","record":{"recordName":"d1","recordType":"Diary"}}"#
        return [
            modify(.person, create("w1"), diary),
            modify(.friend, create("w2", link("w1", "VALIDATE")), create("w3", parent("w1"))),
            modify(.friend, create("w4", link("d1", "VALIDATE")), create("w5", link("d1", "DELETE_SELF"))),
            modify(.friend, create("w6", link("w1", "DELETE_SELF"))), modify(.person, Saves.operation("delete", "w1")),
            lookUp("public", nil, "w1", "w2", "w3", "w6"),
            modify(.friend, Saves.operation("forceUpdate", "w2", Saves.fields(#""int":{"value":1}"#))),
        ]
    }
}
