package import NIOCore
package import NIOPosix
package import NephosRunner
import Synchronization

/// The state shared by all connections of a server.
package final class Transport: Sendable {
    package let limits: HTTPLimits
    package let budget: BodyBudget
    let clients: Clients
    /// Set if clients reach the server below a path, which is removed from their requests.
    let publicURL: PublicURL?
    let responder: any Responder
    let observer: any TransportObserver
    private let gzip = Gzip()
    let threads: NIOThreadPool
    let fileThreads: NIOThreadPool
    private let loops: [ObjectIdentifier: NIOLoopBoundBox<ConnectionLoop>]
    private let open = Atomic<Int>(0)

    /// - Parameters:
    ///   - threads: For ``Work/blocking(_:)``. Started and shut down by their owner.
    ///   - fileThreads: For reading files, so that slow disks delay only files; nil to use `threads`.
    ///   - group: The event loops that connections will come from, and no others.
    ///   - clients: Trusted proxies, and clients without limits of their own.
    ///   - publicURL: Where clients reach the server; nil if not configured.
    package init(
        limits: HTTPLimits, responder: any Responder, observer: any TransportObserver, threads: NIOThreadPool,
        fileThreads: NIOThreadPool? = nil, group: any EventLoopGroup, clients: ClientRules = ClientRules(),
        publicURL: PublicURL? = nil
    ) {
        self.limits = limits
        self.publicURL = publicURL?.path.isEmpty == false ? publicURL : nil
        self.responder = responder
        self.observer = observer
        self.threads = threads
        self.fileThreads = fileThreads ?? threads
        let budget = BodyBudget(bytesMax: limits.bufferedBytesMax)
        self.budget = budget
        self.clients = Clients(clients, limits, budget)
        var loops: [ObjectIdentifier: NIOLoopBoundBox<ConnectionLoop>] = [:]
        for loop in group.makeIterator() {
            let sweepEvery = TimeAmount.milliseconds(limits.sweepMilliseconds)
            loops[ObjectIdentifier(loop)] = .makeBoxSendingValue(
                ConnectionLoop(loop, sweepEvery: sweepEvery), eventLoop: loop)
        }
        self.loops = loops
    }

    /// The number of open connections.
    package var connections: Int { open.load(ordering: .relaxed) }
    /// The number of clients whose connections and bytes are counted.
    package var countedClients: Int { clients.count }

    /// The state for `eventLoop`; call it there. nil for an event loop of another group.
    func loop(of eventLoop: any EventLoop) -> ConnectionLoop? { loops[ObjectIdentifier(eventLoop)]?.value }

    /// Counts a connection; returns whether there is room for it. It is counted until ``closed()`` either way.
    func opened() -> Bool { open.wrappingAdd(1, ordering: .relaxed).newValue <= limits.connectionsMax }
    func closed() { open.wrappingSubtract(1, ordering: .relaxed) }

    /// Carries out `work` as far as possible without its connection and calls `finished`, on any thread.
    func carryOut(_ work: Work, acceptsGzip: Bool, finished: @escaping @Sendable (Outcome) -> Void) {
        switch work {
        case .answer(let answer) where acceptsGzip && isWorthCompressing(answer):
            threads.submit { _ in finished(.answer(self.gzip.compress(answer))) }
        case .answer(let answer):
            finished(.answer(answer))
        case .parked(let begin):
            finished(.parked(begin))
        case .stream(let head, let begin):
            finished(.stream(head, begin))
        case .file(let answer):
            finished(.file(answer))
        case .failed(let error):
            finished(.failed(error))
        case .later(let begin):
            begin { self.carryOut($0, acceptsGzip: acceptsGzip, finished: finished) }
        case .blocking(let job):
            threads.submit { _ in
                self.finishHere(Work { try job() }, acceptsGzip: acceptsGzip, finished: finished)
            }
        }
    }

    func isWorthCompressing(_ answer: RawResponse) -> Bool { answer.body.count >= limits.gzipBytesMin }

    /// Resolves `bodyMode` as far as possible without its connection and calls `finished`, on any thread.
    func decide(_ bodyMode: RequestBodyMode, finished: @escaping @Sendable (RequestBodyMode) -> Void) {
        switch bodyMode {
        case .whole, .pieces, .unread: finished(bodyMode)
        case .later(let begin): begin { self.decide($0, finished: finished) }
        case .blocking(let job): threads.submit { _ in self.decide(job(), finished: finished) }
        }
    }

    /// ``carryOut(_:acceptsGzip:finished:)`` on a thread that may block: blocks and compresses right here.
    private func finishHere(_ work: Work, acceptsGzip: Bool, finished: @escaping @Sendable (Outcome) -> Void) {
        var work = work
        while case .blocking(let job) = work { work = Work { try job() } }
        if case .answer(let answer) = work, acceptsGzip, isWorthCompressing(answer) {
            finished(.answer(gzip.compress(answer)))
        } else {
            carryOut(work, acceptsGzip: acceptsGzip, finished: finished)
        }
    }
}

extension Work {
    /// The result of `job`, or its error as ``failed(_:)``.
    fileprivate init(_ job: () throws -> Work) {
        do { self = try job() } catch { self = .failed(error) }
    }
}
