package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Creates the URLs for uploads and downloads of files. Their tokens are in the query, so that no log contains them, and need no
/// percent signs, because some clients escape those again.
package struct AssetLinks: Sendable {
    private let call: AdmittedCall

    /// Cheap: most responses have no files.
    package init(_ call: AdmittedCall) { self.call = call }

    private var base: String {
        "\(call.publicURL)\(FilePath.prefix)\(FilePath.text(of: call.tenant))/"
    }

    package func source(for row: RecordRow) -> AssetMembers.Source? {
        row.flags.contains(.assets) ? source(for: row, as: nil) : nil
    }

    /// The same for a record that may be of somebody else; nil also if the caller has not joined its share.
    func source(for record: StoredRecord, _ zone: ZoneIdentity) -> AssetMembers.Source? {
        guard record.row.flags.contains(.assets) else { return nil }
        guard let member = record.member else { return source(for: record.row, as: nil) }
        let proof = call.context.proof(of: record.row.zone, of: zone.owner, by: member.share)
        return proof.flatMap { source(for: record.row, as: $0) }
    }

    /// `${f}` is a placeholder for the file name that the client chooses.
    private func source(for row: RecordRow, as member: MemberProof?) -> AssetMembers.Source? {
        let base = base
        return call.context.assets(of: row, member: member) { "\(base)${f}?t=\($0)" }
    }

    /// - Throws: ``Refusal/failed``.
    package func upload(_ ticket: UploadTicket) throws(Refusal) -> String {
        "\(base)\(FilePath.upload)?t=\(try ticket.sealed(key: call.context.catalog.head.signingKey))"
    }
}
