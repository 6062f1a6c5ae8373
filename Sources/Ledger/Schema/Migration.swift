import CEmbedded
import Crypto
import Foundation

/// A forward migration of the database's schema, embedded in the binary.
package struct Migration: Sendable {
    /// The number at the start of the file name.
    package let version: Int
    /// The rest of the file name, without the extension.
    package let name: String
    /// The statements, which run in one transaction unless ``runsOutsideTransaction``.
    package let sql: String
}

extension Migration {
    /// All migrations of this binary, in order: the ``Baseline`` first, then those of the folder `migrations`.
    ///
    /// A merged migration never changes. `MigrationFilesTests` compares this list with the folders.
    package static let all = [Baseline.migration] + embedded_migrations().all.compactMap(Migration.init(file:))

    /// Nil when the name is not `NNNN_name.sql`.
    ///
    /// `MigrationFilesTests` finds such a name.
    private init?(file: embedded_file) {
        guard let (version, name) = Self.parts(ofFile: file.title) else { return nil }
        self.init(version: version, name: name, sql: file.text)
    }

    /// The number and the name of a file called `NNNN_name`; nil when it is called otherwise.
    static func parts(ofFile title: String) -> (version: Int, name: String)? {
        guard let underscore = title.firstIndex(of: "_"), let version = Int(title[..<underscore]) else { return nil }
        return (version, String(title[title.index(after: underscore)...]))
    }

    /// The file name without the extension, such as `0001_ledger`.
    package var title: String {
        let number = String(version)
        return String(repeating: "0", count: max(0, 4 - number.count)) + number + "_" + name
    }

    /// SHA-256 of ``sql``, in hexadecimal.
    package var checksum: String { sql.sha256 }
}

extension String {
    /// SHA-256 of the UTF-8, in hexadecimal.
    var sha256: String { SHA256.hash(data: Data(utf8)).hex }
}

extension Sequence<UInt8> {
    /// Two hexadecimal digits per byte.
    var hex: String { map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
}

extension embedded_files {
    /// The files in the order of the list.
    var all: UnsafeBufferPointer<embedded_file> { UnsafeBufferPointer(start: first, count: count) }
}

extension embedded_file {
    /// The name without its extension.
    var title: String { String(String(cString: name).prefix { $0 != "." }) }

    var text: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }
}
