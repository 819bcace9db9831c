import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// docs/protocol.md U3, U5, U9: file tickets expire, and are valid for a single purpose.
@Suite("Tickets and receipts of files") struct FileTicketTests {
    private let key = [UInt8](repeating: 7, count: 32)
    private let user = UserID(high: 1, low: 2)
    private let address = [UInt8](repeating: 9, count: AssetRow.addressBytes)

    private let admission = Admission(
        token: [UInt8](repeating: 4, count: 32), session: [UInt8](repeating: 6, count: 16))

    private var upload: UploadTicket {
        UploadTicket(database: 3, user: user, admission: admission, expiresAt: 1_000, nonce: 5)
    }

    private func download(_ user: UserID?, _ admission: Admission = Admission()) -> DownloadLink {
        DownloadLink(
            database: 3, zone: 1, record: Name("a"), place: AssetPlace(field: Name("f"), index: 2), address: address,
            user: user, admission: admission, expiresAt: 1_000)
    }

    @Test func theyComeBackAsTheyWereSealedUntilTheirTimeIsOver() throws {
        #expect(try UploadTicket(upload.sealed(key: key), key: key, now: 999) == upload)
        for (user, admission) in [
            (user, admission), (nil, Admission(token: admission.token)), (user, Admission()),
        ] {
            let link = download(user, admission)
            #expect(try DownloadLink(link.sealed(key: key), key: key, now: 999) == link)
        }
        for now in [Milliseconds(1_000), 1_001, .max] {
            let late = #expect(throws: Refusal.self) { try UploadTicket(upload.sealed(key: key), key: key, now: now) }
            #expect("\(late as Any)".contains("this upload URL has expired: request another with assets/upload"))
            let later = #expect(throws: Refusal.self) {
                try DownloadLink(download(nil).sealed(key: key), key: key, now: now)
            }
            #expect("\(later as Any)".contains("this downloadURL has expired: fetch the record again"))
        }
    }

    @Test("Those for zones of somebody else come back, too, and show nothing")
    func ofMembers() throws {
        let proof = MemberProof(zone: 1, share: 2, owner: UserID(high: 5, low: 6), home: 7)
        var (ticket, link) = (upload, download(user, admission))
        (ticket.member, link.member) = (proof, proof)
        link.facts = ["paid"]
        let texts = [try ticket.sealed(key: key), try link.sealed(key: key)]
        #expect(try UploadTicket(texts[0], key: key, now: 999) == ticket)
        #expect(try DownloadLink(texts[1], key: key, now: 999) == link)
        #expect(throws: Refusal.self) { try DownloadLink(texts[0], key: key, now: 0) }
        #expect(throws: Refusal.self) { try UploadTicket(texts[1], key: key, now: 0) }
        for text in texts {
            let changed = String(text.dropLast(4)) + (text.hasSuffix("AAAA") ? "BBBB" : "AAAA")
            #expect(throws: Refusal.self) { try UploadTicket(changed, key: key, now: 0) }
            #expect(throws: Refusal.self) { try DownloadLink(changed, key: key, now: 0) }
        }
    }

    @Test func noneIsTakenForAnother() throws {
        let texts = [try upload.sealed(key: key), try download(user).sealed(key: key)]
        let receipt = AssetReceipt(database: 3, user: user, address: address, size: 4, expiresAt: 1_000).sealed(
            key: key)
        #expect(throws: Refusal.self) { try UploadTicket(texts[1], key: key, now: 0) }
        #expect(throws: Refusal.self) { try DownloadLink(texts[0], key: key, now: 0) }
        for text in texts { #expect(throws: Refusal.self) { try AssetReceipt(text, key: key) } }
        #expect(throws: Refusal.self) { try UploadTicket(receipt, key: key, now: 0) }
        #expect(throws: Refusal.self) { try DownloadLink(receipt, key: key, now: 0) }
        let other = [UInt8](repeating: 8, count: 32)
        #expect(throws: Refusal.self) { try UploadTicket(texts[0], key: other, now: 0) }
        #expect(throws: Refusal.self) { try AssetReceipt(receipt, key: other) }
    }
}
