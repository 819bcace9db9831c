import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file among the drafts.
///
/// It is published by a second name, and loses the first one afterwards. A rename would do both at once, but it replaces what
/// is there; the kind that does not is missing from older C libraries and from network file systems. A process that dies
/// between the two leaves a name among the drafts, which goes with the abandoned ones, and the file stays.
final class DiskDraft: AssetDraft {
    private struct State {
        /// Nil once it was published or discarded.
        var descriptor: Int32?
        var size: Int64 = 0
        /// How many bytes the system was told to write.
        var begun: Int64 = 0
        /// What the disk has is not what was written: even a second synchronizing that succeeds would prove nothing.
        var isTorn = false
    }

    /// A system left to itself keeps gigabytes in memory, and whoever waits for the last byte waits for all of them.
    private static let writebackBytes: Int64 = 8 << 20

    private let path: String
    private let layout: DiskLayout
    private let disk: Disk
    // One thread uses it at a time, so nobody waits here.
    private let state: Mutex<State>

    init(_ path: String, _ layout: DiskLayout, _ disk: Disk) throws(AssetError) {
        (self.path, self.layout, self.disk) = (path, layout, disk)
        do throws(FileFault) {
            state = Mutex(State(descriptor: try disk.calls.makeFile(path)))
        } catch {
            throw error.failing("make", path)
        }
    }

    deinit { discard() }

    var size: Int64 { state.withLock(\.size) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(AssetError) {
        try state.withLock { state throws(AssetError) in
            try attempt(&state) { state, descriptor throws(AssetError) in
                var rest = bytes
                while !rest.isEmpty {
                    let count = try calling("write", path) { () throws(FileFault) in
                        try disk.calls.writeBytes(descriptor, rest)
                    }
                    state.size += Int64(count)
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
                if state.size - state.begun >= Self.writebackBytes {
                    disk.calls.beginWriteback(descriptor, at: state.begun, count: state.size - state.begun)
                    state.begun = state.size
                }
            }
        }
    }

    func publish(as file: AssetFile) throws(AssetError) {
        let place = try layout.place(of: file)
        try state.withLock { state throws(AssetError) in
            try attempt(&state) { state, descriptor throws(AssetError) in
                // An age is counted from here, not from when the first byte came.
                try calling("date", path) { () throws(FileFault) in try disk.calls.touch(descriptor) }
                try calling("synchronize", path) { () throws(FileFault) in try disk.calls.synchronize(descriptor) }
                try link(descriptor, to: place)
                do throws(AssetError) { try place.synchronize(disk) } catch {
                    // Nobody will know of it. If it cannot be removed either, it is a stray.
                    try? disk.removeFile(place.path)
                    throw error
                }
            }
            close(&state)
        }
    }

    func discard() { state.withLock { close(&$0) } }

    /// Lets a step happen to a draft that is whole, which it is no more if the step fails.
    private func attempt(
        _ state: inout State, _ step: (inout State, Int32) throws(AssetError) -> Void
    ) throws(AssetError) {
        guard let descriptor = state.descriptor, !state.isTorn else {
            throw .failed("the draft \(path) was published, discarded or not wholly written")
        }
        do throws(AssetError) { try step(&state, descriptor) } catch {
            state.isTorn = true
            throw error
        }
    }

    private func link(_ descriptor: Int32, to place: DiskPlace) throws(AssetError) {
        var fault = linkFault(place)
        if fault?.code == ENOENT {
            try place.makeFolders(disk)
            fault = linkFault(place)
        }
        guard let fault else { return }
        switch fault.code {
        case ENOENT: throw .missing
        case EEXIST:
            // A network file system may make a link, lose its answer, and find the link when it tries again.
            let own = try calling("look at", path) { () throws(FileFault) in try disk.calls.status(of: descriptor) }
            guard try disk.status(place.path)?.identity == own.identity else {
                throw fault.failing("publish a draft as", place.path)
            }
        default: throw fault.failing("publish a draft as", place.path)
        }
    }

    private func linkFault(_ place: DiskPlace) -> FileFault? {
        do throws(FileFault) { try disk.calls.linkFile(path, to: place.path) } catch { return error }
        return nil
    }

    private func close(_ state: inout State) {
        guard let descriptor = state.descriptor else { return }
        state.descriptor = nil
        disk.calls.closeFile(descriptor)
        // A name that stays goes with the abandoned drafts.
        try? disk.removeFile(path)
    }
}

/// A call of the system whose failure is told with what it was for.
private func calling<Answer>(
    _ action: String, _ path: String, _ body: () throws(FileFault) -> Answer
) throws(AssetError) -> Answer {
    do throws(FileFault) { return try body() } catch { throw error.failing(action, path) }
}
