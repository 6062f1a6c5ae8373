import Crypto
import Foundation
import Postgres

/// An export whose snapshot is taken.
///
/// Its rows can be read once.
///
/// If it is released without being read, it frees its connection.
package final class Export: Sendable {
    package let request: ExportRequest
    /// The server that is read, and up to when the export is complete.
    package let origin: SnapshotOrigin

    private let rows: any ExportRows
    private let connection: PostgresConnection
    private let permit: ExportPermit

    init(
        request: ExportRequest, rows: any ExportRows, connection: PostgresConnection, origin: SnapshotOrigin,
        permit: ExportPermit
    ) {
        self.request = request
        self.origin = origin
        self.rows = rows
        self.connection = connection
        self.permit = permit
    }

    /// A part of the export's bytes, with the progress.
    package struct Part: Sendable {
        /// About 64 KiB; none while a file is made first.
        package let bytes: [UInt8]
        /// The rows written so far.
        package let rows: Int64
        /// The part of all rows that is written, 0 to 1; nil: unknown.
        package let progress: Double?
    }

    /// Reads and writes the rows part by part.
    ///
    /// The next part is made after the last one was consumed.
    ///
    /// A format that can't be written in parts comes when all its rows are read; until then the parts have no bytes.
    ///
    /// - Returns: the trailer, which is also the last line of the last part if the format allows it.
    /// - Throws: ``LedgerError`` when the database fails; then the consumed bytes have no trailer. ``WorkbookError`` when
    ///   an Excel file can't be written. `CancellationError`.
    ///   Errors of the closure.
    package func run(_ consume: (Part) async throws -> Void) async throws -> ExportTrailer {
        guard let writer = request.makeWriter(of: rows.columns) else {
            let file = try await makeFile(consume)
            try await file.read(consume)
            return file.trailer
        }
        return try await reading { rows, connection in try await write(rows, on: connection, with: writer, consume) }
    }

    /// Up to when the export of a standby is complete; nil: it is read from the primary.
    var standbyTime: Date? { origin.server == .standby ? origin.time : nil }

    /// Runs the closure, which reads the rows, and closes the connection.
    func reading<Answer: Sendable>(
        _ read: (any ExportRows, PostgresConnection) async throws -> Answer
    ) async throws -> Answer {
        do {
            // Cancels the running query: a database that computes for a minute sends nothing, so checking between parts
            // would be too late.
            let answer = try await withTaskCancellationHandler {
                try await read(rows, connection)
            } onCancel: { [connection] in
                connection.cancel()
            }
            await connection.close()
            return answer
        } catch {
            await connection.close()
            try Task.checkCancellation()
            throw error is PostgresError ? LedgerError(any: error, readingFrom: origin.server) : error
        }
    }

    private func write(
        _ rows: any ExportRows, on connection: PostgresConnection, with writer: any ExportWriter,
        _ consume: (Part) async throws -> Void
    ) async throws -> ExportTrailer {
        var rows = rows
        var run = ExportRun(request.report, writer, columns: rows.columns, standbyTime: standbyTime)
        while let statement = try await rows.next(on: connection) {
            var copy = BinaryCopy(rows)
            try await connection.copyOut("COPY (\(statement)) TO STDOUT (FORMAT binary)") { chunk in
                try run.add(chunk, of: &copy)
                if run.isPartFull { try await consume(run.nextPart(progress: rows.progress)) }
            }
            try Task.checkCancellation()
        }
        let trailer = run.finish()
        try await consume(run.nextPart(progress: 1))
        return trailer
    }
}

/// The bytes of an export while it is written.
private struct ExportRun {
    private let report: Report
    private let standbyTime: Date?
    private var writer: any ExportWriter
    private var totals: ExportTotals
    private var hash = SHA256()
    private var text = ByteText()
    private var isFirst = true

    init(_ report: Report, _ writer: any ExportWriter, columns: [Column], standbyTime: Date?) {
        self.report = report
        self.standbyTime = standbyTime
        self.writer = writer
        totals = ExportTotals(columns)
        self.writer.begin(&text)
    }

    /// Writes the rows of a chunk.
    mutating func add(_ chunk: [UInt8], of copy: inout BinaryCopy) throws(LedgerError) {
        try copy.read(chunk) { row in
            totals.add(row)
            writer.write(row, to: &text)
        }
    }

    /// Whether to return the bytes written so far.
    ///
    /// The first part is returned early.
    var isPartFull: Bool { isFirst || text.count >= ByteText.partSize }

    mutating func nextPart(progress: Double?) -> Export.Part {
        isFirst = false
        let bytes = text.take()
        hash.update(data: bytes)
        return Export.Part(bytes: bytes, rows: totals.rows, progress: progress)
    }

    /// Writes the end and the trailer.
    mutating func finish() -> ExportTrailer {
        writer.end(&text)
        var hash = hash
        hash.update(data: text.bytes)
        let trailer = ExportTrailer(
            report: report, totals: totals, standbyTime: standbyTime, sha256: hash.finalize().hex)
        writer.write(trailer, to: &text)
        return trailer
    }
}
