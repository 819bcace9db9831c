import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Shares by their addresses: `records/resolve` and `records/accept`.
enum ShareEndpoints {
    static let all = [
        // Whoever opens an address does not know yet whose database it leads to.
        Endpoint("records/resolve", at: .database(.public)) { try resolve($0, SharesRequest(json: $0.body)) },
        Endpoint("records/accept", at: .database(.public)) { try accept($0, SharesRequest(json: $0.body)) },
    ]

    private static func resolve(_ call: AdmittedCall, _ request: SharesRequest) throws -> Work {
        let resolve = ResolveShares(try ShareLookup(request, context: call.context))
        return .blocking {
            do {
                let addresses = try call.ownAddresses()
                return call.carryOut(resolve.reading) { first in
                    call.carryOut(resolve.reading(after: first)) { second in
                        guard let answer = resolve.answer(first, second, as: addresses) else {
                            return call.again() ?? call.failed(Refusal.shareIsChanging)
                        }
                        return .answer(call.success(call.body(of: answer)))
                    }
                }
            } catch {
                return call.failed(error)
            }
        }
    }

    private static func accept(_ call: AdmittedCall, _ request: SharesRequest) throws -> Work {
        let lookup = try ShareLookup(request, context: call.context)
        return .blocking {
            do {
                let addresses = try call.ownAddresses()
                let accept = AcceptShares(lookup, as: addresses)
                return call.commit(accept.reading, decide: accept.decide) { answer in call.body(of: answer) }
            } catch {
                return call.failed(error)
            }
        }
    }
}

extension Refusal {
    fileprivate static let shareIsChanging = Refusal.tryAgainLater("the share is being changed: try again", seconds: 1)
}

extension AdmittedCall {
    /// Blocks.
    fileprivate func ownAddresses() throws(StorageError) -> NamedAddresses {
        guard let user = context.caller.user else { return .none }
        let row = try store.rows(UserRow.keyed([user])).first
        guard let row, row.source == .account else { return .none }
        let (accounts, unverified) = (AccountRow.keyed(row.sourceID), UnverifiedAccountRow.of(row.sourceID))
        var set = ReadSet()
        set.ask(accounts)
        set.ask(unverified)
        let reading = try runner.engine.directory.read(set)
        return NamedAddresses(of: reading[accounts], isVerified: reading[unverified].isEmpty)
    }

    fileprivate func body(of answer: [Result<ShareLookup.Result, Refusal>]) -> [UInt8] {
        object { writer in
            writer.array("results") { writer in
                for result in answer {
                    switch result {
                    case .success(let found): write(found, to: &writer)
                    case .failure(let refusal): writer.refused(refusal, nil)
                    }
                }
            }
        }
    }

    private func write(_ found: ShareLookup.Result, to writer: inout AnswerWriter) {
        writer.json.beginObject()
        writer.json.key("shortGUID")
        writer.json.beginObject()
        writer.json.member("value", found.value)
        writer.json.member("shouldFetchRootRecord", found.shouldFetchRootRecord)
        writer.json.endObject()
        writer.json.member("containerIdentifier", tenant.container)
        writer.json.member("environment", tenant.environment.rawValue)
        writer.json.member("databaseScope", found.isOwn || !found.hasAccepted ? "PRIVATE" : "SHARED")
        writer.json.member("zoneID", raw: writer.zoneID(found.zone))
        if let name = found.rootName { writer.json.member("rootRecordName", name) }
        if let root = found.root {
            writer.json.key("rootRecord")
            writer.record(root, found.zone, RecordStyle(desiredKeys: found.rootDesiredKeys))
        }
        writer.json.key("share")
        writer.record(found.share, found.zone, RecordStyle())
        writer.json.key("ownerIdentity")
        UserIdentity(userRecordName: found.owner).write(to: &writer.json)
        writer.json.member("participantType", found.type)
        writer.json.member("participantStatus", found.hasAccepted ? "ACCEPTED" : "INVITED")
        writer.json.member("participantPermission", found.permission)
        writer.json.endObject()
    }
}
