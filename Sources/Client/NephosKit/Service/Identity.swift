import CloudKitWire
import Foundation

/// The person who is signed in, as returned by `users/caller`.
struct Identity: Sendable, Equatable {
    var userRecordName: String
    var givenName: String?
    var familyName: String?

    init(_ json: ArraySlice<UInt8>) throws(WireError) {
        var reader = try JSONReader(json)
        var (name, given, family): (String?, String?, String?) = (nil, nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userRecordName": name = try reader.readText()
            case "nameComponents":
                try reader.readMembers { reader, key throws(WireError) in
                    switch key {
                    case "givenName": given = try reader.readText()
                    case "familyName": family = try reader.readText()
                    default: break
                    }
                }
            default: break
            }
        }
        guard let name else { throw WireError("the answer has no userRecordName") }
        userRecordName = name
        givenName = given
        familyName = family
    }
}
