import Crypto
import Foundation
import Postgres

/// An export that has begun: its snapshot is taken, and its rows are there to be read, once.
///
/// One that is let go of without being read frees its connection.
package final class Export: Sendable {
    /// What it is.
    package let request: ExportRequest

    private let rows: any ExportRows
    private let connection: PostgresConnection
    private let permit: ExportPermit

    init(
        request: ExportRequest, rows: any ExportRows, connection: PostgresConnection, permit: ExportPermit
    ) {
        self.request = request
        self.rows = rows
        self.connection = connection
        self.permit = permit
    }

    /// A part of the export's bytes, and how far it has come.
    package struct Part: Sendable {
        /// The bytes, about 64 KiB.
        package let bytes: [UInt8]
        /// The rows written so far.
        package let rows: Int64
        /// How much of all rows that is, from 0 to 1; nil when it is not known.
        package let progress: Double?
    }

    /// Reads the rows and writes them, part by part; the next part is made when the last one was consumed.
    ///
    /// - Returns: the trailer, which was the last part's last line if the format holds it.
    /// - Throws: ``LedgerError`` when the database fails, and then what was consumed has no trailer;
    ///   `CancellationError`; what the closure throws.
    package func run(_ consume: (Part) async throws -> Void) async throws -> ExportTrailer {
        do {
            // Between two parts nothing would notice: a database that computes for a minute has nothing to send.
            let trailer = try await withTaskCancellationHandler {
                try await write(consume)
            } onCancel: { [connection] in
                connection.cancel()
            }
            await connection.close()
            return trailer
        } catch {
            await connection.close()
            try Task.checkCancellation()
            throw error is PostgresError ? LedgerError(any: error) : error
        }
    }

    private func write(_ consume: (Part) async throws -> Void) async throws -> ExportTrailer {
        var rows = rows
        var run = ExportRun(request, columns: rows.columns)
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

/// The bytes of an export in the making.
private struct ExportRun {
    private let report: Report
    private var writer: any ExportWriter
    private var totals: ExportTotals
    private var hash = SHA256()
    private var text = ByteText()
    private var isFirst = true

    init(_ request: ExportRequest, columns: [Column]) {
        report = request.report
        writer = request.makeWriter(of: columns)
        totals = ExportTotals(columns)
        writer.begin(&text)
    }

    /// Writes the rows of a chunk.
    mutating func add(_ chunk: [UInt8], of copy: inout BinaryCopy) throws(LedgerError) {
        try copy.read(chunk) { row in
            totals.add(row)
            writer.write(row, to: &text)
        }
    }

    /// Whether it is time to hand on what there is: at first as soon as there is something to see.
    var isPartFull: Bool { isFirst || text.count >= ByteText.partSize }

    mutating func nextPart(progress: Double?) -> Export.Part {
        isFirst = false
        let bytes = text.take()
        hash.update(data: bytes)
        return Export.Part(bytes: bytes, rows: totals.rows, progress: progress)
    }

    /// Writes the last row and the trailer.
    mutating func finish() -> ExportTrailer {
        writer.end(&text)
        var hash = hash
        hash.update(data: text.bytes)
        let trailer = ExportTrailer(report: report, totals: totals, sha256: hash.finalize().hex)
        writer.write(trailer, to: &text)
        return trailer
    }
}
