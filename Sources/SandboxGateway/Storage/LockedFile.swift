import Glibc

/// An open file that only this process writes.
struct LockedFile: ~Copyable, Sendable {
    private let path: String
    private let descriptor: CInt

    /// Opens and locks the file, which need not exist.
    ///
    /// - Throws: ``SandboxGatewayError`` if it can't be opened, or another process has it.
    init(_ path: String) throws(SandboxGatewayError) {
        // Readable for its owner only: payments have names and addresses.
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SandboxGatewayError(description: "\(path) can't be opened: \(FileError())")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = FileError()
            close(descriptor)
            throw SandboxGatewayError(
                description: error.code == EWOULDBLOCK
                    ? "\(path) is in use by another portone-sandbox" : "\(path) can't be locked: \(error)")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Removes what a process left that ended before ``replace(_:)``.
    func clear() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0 else { throw FileError() }
    }

    func append(_ bytes: [UInt8]) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written >= 0 || errno == EINTR else { throw FileError() }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// Takes the place of the file at `other`, on the disk too.
    func replace(_ other: String) throws(FileError) {
        guard fsync(descriptor) == 0, rename(path, other) == 0 else { throw FileError() }
    }
}

/// The error of a system call on a file.
struct FileError: Error, CustomStringConvertible {
    let code = errno

    var description: String { String(cString: strerror(code)) }
}
