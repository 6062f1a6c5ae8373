import Crypto
import Foundation

/// An export that is a whole file before anything of it is sent.
///
/// The file has no name. It is gone when this is released.
package struct ExportFile: Sendable {
    package let trailer: ExportTrailer
    /// The bytes of the file.
    package let count: Int
    private let file: TemporaryFile

    init(_ file: TemporaryFile, _ totals: ExportTotals, of report: Report, standbyTime: Date?) throws {
        self.file = file
        count = try file.count()
        var hash = SHA256()
        try file.forEachPart { hash.update(data: $0) }
        trailer = ExportTrailer(
            report: report, totals: totals, standbyTime: standbyTime, sha256: hash.finalize().hex)
    }

    /// Reads the file part by part.
    ///
    /// - Throws: ``WorkbookError``. Errors of the closure.
    package func read(_ consume: (Export.Part) async throws -> Void) async throws {
        var offset = 0
        while offset < count {
            let bytes = try file.read(at: offset, most: ByteText.partSize)
            guard !bytes.isEmpty else { throw WorkbookError.storage(0) }
            offset += bytes.count
            try await consume(
                Export.Part(bytes: bytes, rows: trailer.rows, progress: Double(offset) / Double(count)))
        }
    }
}
