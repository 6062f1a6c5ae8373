import Foundation
import Postgres
import Synchronization

/// Exports reports for finance.
///
/// Each export reads one snapshot on its own connection.
///
/// Other requests use other connections, so an export does not delay them. The number of exports is limited, because
/// each snapshot keeps the database from removing old row versions.
package struct Exports: Sendable {
    /// The most exports that run at a time in this process.
    package static let most = 2
    /// How long one statement of an export or an examination may take.
    static let patience = Duration.seconds(600)

    /// Where exports are read.
    package let source: BooksSource
    /// Whether this process books VAT, so that a report without any is right.
    private let booksVAT: Bool
    let permits = ExportPermits(Self.most)
    /// Not one of the exports' permits: an examination can take so long that finance would be without exports.
    private let examinations = ExportPermits(1)

    init(_ source: BooksSource, booksVAT: Bool) {
        self.source = source
        self.booksVAT = booksVAT
    }

    /// Begins an export of what is committed now.
    ///
    /// Reports about the books wait for the running batches. Otherwise entries recorded before a past moment could
    /// still be committed, and a repeated export would have more rows.
    ///
    /// - Returns: the export, or why it can't start.
    /// - Throws: ``LedgerError/Code/unavailable`` when the database can't be reached,
    ///   ``LedgerError/Code/replicaUnavailable`` when the standby can't be used.
    package func begin(_ request: ExportRequest) async throws(LedgerError) -> Result<Export, ExportRefusal> {
        guard let permit = permits.take() else { return .failure(.tooMany) }
        let waits = request.report.coverage != .run
        let (connection, origin) = try await source.open(waitsForBatches: waits, \.forExporting)
        do {
            // The first query takes the snapshot.
            try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM ledger")
            switch try await request.report.prepare(request, connection, booksVAT) {
            case .success(let request):
                let rows = request.report.rows(request)
                try await connection.execute(rows.settings.map { "SET LOCAL \($0);" }.joined())
                return .success(
                    Export(request: request, rows: rows, connection: connection, origin: origin, permit: permit))
            case .failure(let refusal):
                await connection.close()
                return .failure(refusal)
            }
        } catch {
            await connection.close()
            throw LedgerError(any: error, readingFrom: origin.server)
        }
    }

    /// Examines the books where exports are read, one examination at a time.
    ///
    /// An examination reads all the books and keeps a snapshot, also when its caller has left.
    ///
    /// - Parameter limit: how many deviations of each kind to list. All are counted.
    /// - Returns: the diagnosis; nil: another examination is running in this process.
    /// - Throws: ``LedgerError/Code/unavailable`` when the database can't be reached, or a check takes longer than
    ///   ``patience``; ``LedgerError/Code/replicaUnavailable`` when the standby can't be used.
    package func examine(naming limit: Int) async throws(LedgerError) -> Diagnosis? {
        guard let permit = examinations.take() else { return nil }
        defer { withExtendedLifetime(permit) {} }
        return try await Doctor(source, patience: Self.patience).examine(naming: limit)
    }
}

extension PostgresConfiguration {
    /// With long timeouts, because the reader sets the pace.
    ///
    /// The caller detects a stalled reader.
    var forExporting: PostgresConfiguration {
        var configuration = self
        configuration.applicationName += " export"
        configuration.statementTimeout = Exports.patience
        configuration.idleInTransactionTimeout = .seconds(600)
        configuration.replyTimeout = .seconds(3600)
        configuration.settings.merge(["jit": "off", "max_parallel_workers_per_gather": "0"]) { $1 }
        return configuration
    }
}

/// Limits the number of running exports.
final class ExportPermits: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// - Returns: nil when all permits are taken.
    func take() -> ExportPermit? {
        if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue > 0 { return ExportPermit(of: self) }
        giveBack()
        return nil
    }

    fileprivate func giveBack() {
        left.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }
}

/// The right to run an export.
///
/// It is given back when it is deallocated, whether the export succeeded or failed.
final class ExportPermit: Sendable {
    private let permits: ExportPermits

    fileprivate init(of permits: ExportPermits) {
        self.permits = permits
    }

    deinit {
        permits.giveBack()
    }
}
