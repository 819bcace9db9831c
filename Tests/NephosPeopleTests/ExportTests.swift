import CloudKitWire
import Foundation
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Exporting what is stored".
@Suite("Exports of a person's data") struct ExportTests {
    /// The required contents of an export, wherever it is written to.
    private static func expectWhole(_ cloud: LeavingCloud, _ file: (String) throws -> [UInt8]) throws {
        let profile = try JSON(reading: try file("account.json"))
        #expect(profile["account"]["email"].string == PeopleCloud.email)
        #expect(profile["rows"]["sign_in_methods"][0]["kind"].int64 == 1)
        #expect(profile["rows"]["account_places"][0]["container"].string == SmallCloud.container)
        let place = "\(SmallCloud.container)/development"
        let json = try JSON(reading: try file("\(place).json"))
        #expect(json["user"].string == cloud.user.id.recordName)
        #expect(json["rows"]["sessions"].elements.count == 2 && json["rows"]["sign_in_consents"].elements.count == 1)
        let (mine, published) = (json["private"].elements, json["public"].elements)
        #expect(mine.count == 22 && published.count == 21)
        #expect(mine.contains { $0["recordName"].string == "z" && $0["zoneID"]["zoneName"].string == "Notes" })
        #expect(!published.contains { $0["recordName"].string == "graces" })
        for (records, scope) in [(mine, "private"), (published, "public")] {
            let filed = try #require(records.first { $0["recordName"].string == "filed" })
            let checksum = try #require(filed["fields"]["file"]["value"]["fileChecksum"].string)
            let name = checksum.replacing("+", with: "-").replacing("/", with: "_")
            #expect(try file("\(place)/\(scope)/\(name)") == Array("a picture in \(scope)".utf8))
        }
        // Credentials, and what they are verified with, are not exported.
        let all = String(decoding: try file("account.json") + file("\(place).json"), as: UTF8.self)
        #expect(!all.contains("scrypt") && !all.contains("secret\""))
    }

    @Test("By command it is a folder of JSON and files, readable only by its owner")
    func folder() async throws {
        let cloud = try await LeavingCloud()
        try await cloud.fill()
        let folder = try TemporaryFolder(prefix: "nephos-export")
        let path = folder.path + "/ada"
        try await cloud.own.administration.export(cloud.account, files: cloud.own.cloud.files, to: try FolderSink(path))
        try Self.expectWhole(cloud) { try readFile("\(path)/\($0)") }
        let mode = try FileManager.default.attributesOfItem(atPath: path + "/account.json")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: Failure.self) { try FolderSink(path) }
    }

    @Test("At /account it is a ZIP file, protected by the password; another program can extract it")
    func zip() async throws {
        let cloud = try await LeavingCloud()
        try await cloud.fill()
        _ = try cloud.own.signIn("/sign-in")
        let form = try cloud.own.get("/account").field("form")
        let wrong = try cloud.own.post(
            "/account", [("form", form), ("do", "export"), ("current", "not that one at all")])
        #expect(wrong.status == 403)
        let bytes = try await cloud.own.download(
            "/account", [("form", form), ("do", "export"), ("current", PeopleCloud.password)])
        let folder = try TemporaryFolder(prefix: "nephos-export")
        try writeFile(folder.path + "/account.zip", bytes)
        let child = try ChildProcess(
            "/usr/bin/env", ["python3", "-m", "zipfile", "-e", folder.path + "/account.zip", folder.path + "/out"],
            output: folder.path + "/said", errors: folder.path + "/errors")
        #expect(child.wait() == .exited(0))
        try Self.expectWhole(cloud) { try readFile("\(folder.path)/out/\($0)") }
    }

    @Test("A server writes four at a time, one for each account; a slot is released with its export")
    func places() {
        let places = ExportPlaces()
        var held = (0..<ExportPlaces.most).map { places.take(for: "\($0)") }
        #expect(held.allSatisfy { $0 != nil })
        #expect(places.take(for: "other") == nil)
        held[0] = nil
        #expect(places.take(for: "1") == nil)
        let other = places.take(for: "other")
        #expect(other != nil && places.take(for: "0") == nil)
        withExtendedLifetime((held, other)) {}
    }
}
