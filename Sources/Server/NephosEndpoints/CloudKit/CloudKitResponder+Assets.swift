import CloudKitWire
import NephosDomain
import NephosStorage

extension CloudKitResponder {
    /// `assets/upload`: a URL for each token, in order.
    func upload(_ step: Step, _ request: AssetsUploadRequest) throws -> Work {
        let operation = try OfferUploads(request, context: step.context)
        guard let unheld = configuration.unheld.believed(step.call.path.tenant) else {
            return .blocking {
                do {
                    let files = try self.configuration.unheld.sum(of: step.call.path.tenant, in: step.store)
                    return self.offer(step, operation, files)
                } catch {
                    return self.answer(error, step.call, step.issuer)
                }
            }
        }
        return offer(step, operation, unheld)
    }

    private func offer(_ step: Step, _ operation: OfferUploads, _ unheld: UnheldFiles) -> Work {
        read(step, operation.reading) { reading in
            let offers = try operation.answer(
                reading, unheld: unheld, makeName: { Name(RequestID.next().text) },
                makeNonce: { Int64(bitPattern: RequestID.next().low) })
            let links = AssetLinks(step)
            return step.object { writer in
                writer.array("tokens") { writer in
                    for offer in offers {
                        writer.json.beginObject()
                        writer.json.member("recordName", offer.recordName)
                        writer.json.member("fieldName", offer.fieldName)
                        writer.json.member("url", links.upload(offer.ticket))
                        writer.json.endObject()
                    }
                }
            }
        }
    }

    /// `assets/rereference`: a receipt for each file, in order.
    func rereference(_ step: Step, _ request: AssetsRereferenceRequest) throws -> Work {
        let operation = try RereferenceAssets(request, context: step.context)
        return commit(step, operation.reading, decide: operation.decide) { receipts in
            step.object { writer in
                writer.array("assets") { writer in
                    for receipt in receipts { receipt.write(to: &writer.json) }
                }
            }
        }
    }
}
