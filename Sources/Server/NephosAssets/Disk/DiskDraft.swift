import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A draft file.
///
/// It is published by giving it a second name, and then removing the first one. A rename would do both at once, but it replaces
/// an existing file; the variant that does not is missing from older C libraries and from network file systems. A process that
/// dies in between leaves a name among the drafts, which is removed with the abandoned ones, and the file stays.
final class DiskDraft: AssetDraft {
    private struct State {
        /// Nil after it was published or discarded.
        var descriptor: Int32?
        var size: Int64 = 0
        /// How many bytes the system was asked to start writing.
        var begun: Int64 = 0
        /// The disk's content may differ from what was written: even a second successful synchronization would prove nothing.
        var isTorn = false
    }

    /// Without this the system keeps gigabytes in memory, and the final synchronization waits for all of them.
    private static let writebackBytes: Int64 = 8 << 20

    private let path: String
    private let layout: DiskLayout
    private let disk: Disk
    // Only one thread uses it at a time, so the lock is never contended.
    private let state: Mutex<State>

    init(_ path: String, _ layout: DiskLayout, _ disk: Disk) throws(AssetError) {
        (self.path, self.layout, self.disk) = (path, layout, disk)
        do throws(FileFault) {
            state = Mutex(State(descriptor: try disk.calls.createFile(path)))
        } catch {
            throw error.failing("create", path)
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
                // Its age is counted from here, not from when the first byte arrived.
                try calling("date", path) { () throws(FileFault) in try disk.calls.touch(descriptor) }
                try calling("synchronize", path) { () throws(FileFault) in try disk.calls.synchronize(descriptor) }
                try link(descriptor, to: place)
                do throws(AssetError) { try place.synchronize(disk) } catch {
                    // No row will name it. If it cannot be removed either, it is a stray.
                    try? disk.removeFile(place.path)
                    throw error
                }
            }
            close(&state)
        }
    }

    func discard() { state.withLock { close(&$0) } }

    /// Runs a step on an intact draft; if the step fails, the draft is torn.
    private func attempt(
        _ state: inout State, _ step: (inout State, Int32) throws(AssetError) -> Void
    ) throws(AssetError) {
        guard let descriptor = state.descriptor, !state.isTorn else {
            throw .failed("the draft \(path) was already published or discarded, or is not completely written")
        }
        do throws(AssetError) { try step(&state, descriptor) } catch {
            state.isTorn = true
            throw error
        }
    }

    private func link(_ descriptor: Int32, to place: DiskPlace) throws(AssetError) {
        var fault = linkFault(place)
        if fault?.code == ENOENT {
            try place.createFolders(disk)
            fault = linkFault(place)
        }
        guard let fault else { return }
        switch fault.code {
        case ENOENT: throw .missing
        case EEXIST:
            // A network file system may create a link, lose its reply, and find the link when it retries.
            let own = try calling("access", path) { () throws(FileFault) in try disk.calls.status(of: descriptor) }
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
        // A name that stays is removed with the abandoned drafts.
        try? disk.removeFile(path)
    }
}

/// Runs a system call and adds its purpose to an error.
private func calling<Answer>(
    _ action: String, _ path: String, _ body: () throws(FileFault) -> Answer
) throws(AssetError) -> Answer {
    do throws(FileFault) { return try body() } catch { throw error.failing(action, path) }
}
