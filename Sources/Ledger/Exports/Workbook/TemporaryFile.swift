import Foundation
import Glibc

/// A new folder for temporary files, which only the user of the process can open.
///
/// It is removed when it is released, if not before. The files in it have lost their names by then.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter parent: the folder to make it in.
    init(in parent: String) throws(WorkbookError) {
        guard let made = Self.make(in: parent) else { throw .storage(errno) }
        path = made
    }

    /// The folder of `TMPDIR`, else `/tmp`.
    static var parent: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp" }

    private static func make(in parent: String) -> String? {
        var template = Array("\(parent)/ledgerd-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { template in
            template.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    deinit { remove() }

    /// Removes it at once: a process can end before the last who has it releases it.
    func remove() { rmdir(path) }

    /// Frees the room of files in this folder that libxlsxwriter leaves open when it fails.
    ///
    /// Their descriptors stay taken, because the library still knows them. Each file is opened again, so that no
    /// descriptor that meanwhile belongs to something else is touched.
    func emptyLeftFiles() {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for name in open {
            let own = Glibc.open("/proc/self/fd/\(name)", O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            guard own >= 0 else { continue }
            if leads(own) { ftruncate(own, 0) }
            close(own)
        }
    }

    private func leads(_ descriptor: Int32) -> Bool {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasPrefix(path + "/") == true
    }
}

/// A file without a name: nothing is left of it when it is released, or when the process ends.
final class TemporaryFile: Sendable {
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws(WorkbookError) {
        let path = folder.path + "/workbook"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .storage(errno) }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// A name by which this process can open the file.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// The bytes in it.
    func count() throws(WorkbookError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .storage(errno) }
        return Int(status.st_size)
    }

    /// Reads at most `count` bytes; fewer at the end of the file.
    func read(at offset: Int, most count: Int) throws(WorkbookError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            filled = max(0, result)
        }
        guard result >= 0 else { throw .storage(errno) }
        return bytes
    }

    /// Reads the file from its beginning to its end.
    func forEachPart(_ body: ([UInt8]) throws -> Void) throws {
        var offset = 0
        while case let part = try read(at: offset, most: ByteText.partSize), !part.isEmpty {
            try body(part)
            offset += part.count
        }
    }
}
