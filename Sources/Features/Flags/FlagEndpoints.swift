import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Flags {
    /// Below `/nephos/1/CONTAINER/ENVIRONMENT/flags/`, for callers with an API token: values, never rules.
    static func endpoints(_ host: FeatureHost, _ memory: FlagCache) -> [Endpoint] {
        served(host, memory).map {
            var endpoint = $0
            endpoint.errorMembers = .ofrep
            return endpoint
        }
    }

    private static func served(_ host: FeatureHost, _ memory: FlagCache) -> [Endpoint] {
        [
            Endpoint("flags/ofrep/v1/evaluate/flags/{key}", at: .container, methods: [.post]) { call in
                let key = String(call.call.path.values.first ?? "")
                return FlagQuestion(call, memory, key: key).answer(steps: { $0.steps(of: key) }) { set, context, _ in
                    do throws(Evaluation.Failure) {
                        var json = JSONWriter()
                        json.write(try set.evaluate(key, for: context), of: key)
                        return call.success(json.bytes)
                    } catch {
                        return call.failure(error, of: key)
                    }
                }
            },
            Endpoint("flags/ofrep/v1/evaluate/flags", at: .container, methods: [.post]) { call in
                FlagQuestion(call, memory, key: nil).answer(steps: { $0.steps }) { set, context, print in
                    var json = JSONWriter()
                    json.beginObject()
                    json.key("flags")
                    json.beginArray()
                    set.evaluateAll(for: context) { id, result in
                        switch result {
                        case .success(let evaluation): json.write(evaluation, of: id)
                        case .failure(let failure): json.write(failure, of: id)
                        }
                    }
                    json.endArray()
                    json.writeStreams(of: print, call)
                    json.endObject()
                    return call.answer(json.bytes, tag: print.tag)
                }
            },
            Endpoint("flags/stream", at: .container, methods: [.get]) { call in FlagStream(call, host, memory).work },
        ]
    }
}

/// A request for the value of one flag, or of all.
struct FlagQuestion: Sendable {
    /// With more conditions than this, they are evaluated on a thread that may block.
    private static let inlineStepsMax = 2_000

    private let call: AdmittedCall
    private let memory: FlagCache
    private let key: String?

    /// - Parameter key: nil for all flags.
    init(_ call: AdmittedCall, _ memory: FlagCache, key: String?) {
        (self.call, self.memory, self.key) = (call, memory, key)
    }

    /// Responds using the cache, or after a read.
    ///
    /// - Parameters:
    ///   - steps: The maximum number of conditions to evaluate.
    ///   - answer: Receives the flags, the context, and what identifies the response.
    func answer(
        steps: @escaping @Sendable (FlagSet) -> Int,
        _ answer: @escaping @Sendable (FlagSet, EvaluationContext, FlagPrint) -> RawResponse
    ) -> Work {
        let caller: FlagCaller
        do throws(WireError) { caller = try FlagCaller(call) } catch { return .answer(wrong(error)) }
        return call.carryOut(caller.reading(memory)) { reading in
            let generation = memory.generation(reading)
            let evaluate: @Sendable (ReadyFlags) -> Work = { flags in
                do throws(WireError) {
                    let known = try caller.known(reading)
                    let print = flags.print(of: caller, known, at: known.now)
                    if key == nil, caller.has(print) { return .answer(call.unchanged(tag: print.tag)) }
                    let context = try caller.context(known)
                    guard steps(flags.set) > Self.inlineStepsMax else {
                        return .answer(answer(flags.set, context, print))
                    }
                    return .blocking { .answer(answer(flags.set, context, print)) }
                } catch {
                    return .answer(wrong(error))
                }
            }
            if let flags = memory.ready(generation, of: call.tenant, now: call.context.now) { return evaluate(flags) }
            return .blocking {
                do {
                    return evaluate(try memory.load(call.store, now: call.context.now))
                } catch let failure as SectionFailure {
                    let reason = "the settings of the container cannot be read by this server: \(failure)"
                    return .answer(call.failure("GENERAL", reason, of: key, status: 500))
                } catch {
                    return call.failed(error)
                }
            }
        }
    }

    private func wrong(_ error: WireError) -> RawResponse {
        call.failure("INVALID_CONTEXT", error.reason, of: key, status: 400)
    }
}
