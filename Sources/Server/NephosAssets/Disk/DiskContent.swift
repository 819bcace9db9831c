#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file on a disk.
final class DiskContent: AssetContent {
    let size: Int64
    private let path: String
    private let descriptor: Int32
    private let calls: any FileCalls

    init(_ path: String, _ calls: any FileCalls) throws(AssetError) {
        let descriptor: Int32
        let status: FileStatus
        do throws(FileFault) {
            descriptor = try calls.openFile(path)
        } catch {
            throw error.code == ENOENT ? .missing : error.failing("open", path)
        }
        do throws(FileFault) {
            status = try calls.status(of: descriptor)
        } catch {
            calls.closeFile(descriptor)
            throw error.failing("access", path)
        }
        guard status.kind == .file else {
            calls.closeFile(descriptor)
            throw .failed("\(path) is not a file")
        }
        size = status.size
        (self.path, self.descriptor, self.calls) = (path, descriptor, calls)
    }

    deinit { calls.closeFile(descriptor) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            do throws(FileFault) {
                let count = try calls.readBytes(descriptor, at: offset + Int64(filled), into: rest)
                if count == 0 { break }
                filled += count
            } catch {
                // A network file system reports this for a file that another machine removed.
                throw error.code == ESTALE ? .missing : error.failing("read", path)
            }
        }
        return filled
    }
}
