import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The endpoints that clients call before they upload and download files (``FileEndpoint``).
struct AssetEndpoints: Sendable {
    /// Counts of files that no record references.
    let unreferenced: UnreferencedFileCounts

    var all: [Endpoint] {
        [
            Endpoint("assets/upload", needsUser: true) { try upload($0, AssetsUploadRequest(json: $0.body)) },
            Endpoint("assets/rereference", needsUser: true) {
                try rereference($0, AssetsRereferenceRequest(json: $0.body))
            },
        ]
    }

    /// `assets/upload`: a URL for each token, in order.
    private func upload(_ call: AdmittedCall, _ request: AssetsUploadRequest) throws -> Work {
        let operation = try OfferUploads(request, context: call.context)
        guard let files = unreferenced.believed(call.tenant) else {
            return .blocking {
                do {
                    return offer(call, operation, try unreferenced.sum(of: call.tenant, in: call.store))
                } catch {
                    return call.refused(error)
                }
            }
        }
        return offer(call, operation, files)
    }

    private func offer(_ call: AdmittedCall, _ operation: OfferUploads, _ unreferenced: UnreferencedFiles) -> Work {
        call.read(operation.reading) { reading in
            let offers = try operation.answer(
                reading, unreferenced: unreferenced, makeName: call.newName,
                makeNonce: { Int64(bitPattern: call.randomSource.newID().low) })
            let links = AssetLinks(call)
            let urls = try offers.map { offer in try links.upload(offer.ticket) }
            return call.object { writer in
                writer.array("tokens") { writer in
                    for (offer, url) in zip(offers, urls) {
                        writer.json.beginObject()
                        writer.json.member("recordName", offer.recordName)
                        writer.json.member("fieldName", offer.fieldName)
                        writer.json.member("url", url)
                        writer.json.endObject()
                    }
                }
            }
        }
    }

    /// `assets/rereference`: a receipt for each file, in order.
    private func rereference(_ call: AdmittedCall, _ request: AssetsRereferenceRequest) throws -> Work {
        let operation = try RereferenceAssets(request, context: call.context)
        return call.commit(operation.reading, decide: operation.decide) { receipts in
            call.object { writer in
                writer.array("assets") { writer in
                    for receipt in receipts { receipt.write(to: &writer.json) }
                }
            }
        }
    }
}
