import Foundation
import Glibc

/// The output of a command: a file or standard output.
///
/// The file gets its name only when it is complete, because an incomplete report would look like a complete one with
/// fewer rows.
final class OutputFile {
    /// The name of the complete file; nil: standard output.
    private let path: String?
    private let descriptor: Int32
    private var isComplete = false

    /// - Parameters:
    ///   - path: the file's name; `-` for standard output.
    ///   - isForced: whether to replace an existing file.
    /// - Throws: ``OutputFileError``.
    init(_ path: String, isForced: Bool) throws {
        self.path = path == "-" ? nil : path
        descriptor = path == "-" ? STDOUT_FILENO : try Self.open(path, isForced: isForced)
    }

    private static func open(_ path: String, isForced: Bool) throws -> Int32 {
        if !isForced, access(path, F_OK) == 0 {
            throw OutputFileError("\(path) exists; choose another name, or replace it with --force")
        }
        // The data is confidential: only the owner of the file can read it.
        let descriptor = Glibc.open(partial(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputFileError("\(partial(path)) can't be written", errno) }
        return descriptor
    }

    deinit {
        guard let path else { return }
        close(descriptor)
        if !isComplete { unlink(Self.partial(path)) }
    }

    private static func partial(_ path: String) -> String { path + ".partial" }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputFileError("\(path ?? "standard output") can't be written", errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Syncs the file to disk and gives it its name.
    func complete() throws {
        guard let path else { return }
        guard fsync(descriptor) == 0, rename(Self.partial(path), path) == 0 else {
            throw OutputFileError("\(path) can't be written", errno)
        }
        isComplete = true
    }
}

/// The error of an output that can't be written.
struct OutputFileError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ message: String, _ number: Int32? = nil) {
        description = number.map { "\(message): \(String(cString: strerror($0)))" } ?? message
    }
}
