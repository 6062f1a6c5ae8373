import Foundation
import Glibc

/// Files of secrets that a command makes: all of them or, after a failure, none.
///
/// Only their owner may read them, and none that exists is touched.
final class SecretFiles {
    private var made: [String] = []

    /// Writes a file and has it on disk.
    ///
    /// - Throws: ``SecretFilesError`` when it exists or can't be written.
    func write(_ text: String, to path: String) throws(SecretFilesError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw errno == EEXIST
                ? SecretFilesError(description: "\(path) exists and is not replaced: choose another name")
                : .cantBeWritten(path)
        }
        made.append(path)
        defer { close(file) }
        let bytes = Array(text.utf8)
        // A file of a few hundred bytes is written at once, or not at all.
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else { throw .cantBeWritten(path) }
    }

    /// Removes what was written.
    func removeAll() {
        for path in made { unlink(path) }
        made = []
    }
}

struct SecretFilesError: Error, CustomStringConvertible {
    let description: String

    fileprivate static func cantBeWritten(_ path: String) -> Self {
        Self(description: "\(path) can't be written: \(String(cString: strerror(errno)))")
    }
}
