import Foundation
import Postgres

extension Export {
    /// Reads the rows and writes a file, for a format that can't be sent while it is written: ``ExportFormat/isMadeFirst``.
    ///
    /// - Parameter report: takes the progress, as parts without bytes.
    /// - Throws: ``WorkbookError`` when the file can't be written, and as ``run(_:)``.
    package func makeFile(_ report: (Part) async throws -> Void = { _ in }) async throws -> ExportFile {
        try await reading { rows, connection in
            var rows = rows
            var totals = ExportTotals(rows.columns)
            let workbook = try WorkbookWriter(
                request.report, columns: rows.columns, zone: request.zone, language: request.language)
            while let statement = try await rows.next(on: connection) {
                var copy = BinaryCopy(rows)
                try await connection.copyOut("COPY (\(statement)) TO STDOUT (FORMAT binary)") { chunk in
                    try copy.read(chunk) { row in
                        totals.add(row)
                        workbook.write(row)
                    }
                    try workbook.check()
                    try await report(Part(bytes: [], rows: totals.rows, progress: rows.progress))
                }
                try Task.checkCancellation()
            }
            return try await end(workbook, totals)
        }
    }

    /// Ends the file on a thread of its own: compressing and hashing take seconds, in which no task could use the thread.
    private func end(_ workbook: WorkbookWriter, _ totals: ExportTotals) async throws -> ExportFile {
        let (kind, time) = (request.report, standbyTime)
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<ExportFile, any Error>) in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try ExportFile(try workbook.end(totals), totals, of: kind, standbyTime: time) })
            }
        }
    }
}
