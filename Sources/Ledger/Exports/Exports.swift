import Foundation
import Postgres
import Synchronization

/// What finance takes out of the books, each export in one snapshot on a connection of its own.
///
/// Balances are read on other connections, so an export can't keep them waiting; and only so many run at a time, for
/// each also keeps the database from clearing away what it may still see.
package struct Exports: Sendable {
    /// How many may run at a time in this process.
    package static let most = 2

    private let configuration: PostgresConfiguration
    private let permits = ExportPermits(Self.most)

    init(database: PostgresConfiguration) {
        var configuration = database
        configuration.applicationName += " export"
        // Whoever reads the export sets the pace; a reader that has stalled is for the caller to notice.
        configuration.statementTimeout = .seconds(600)
        configuration.idleInTransactionTimeout = .seconds(600)
        configuration.replyTimeout = .seconds(3600)
        configuration.settings.merge(["jit": "off", "max_parallel_workers_per_gather": "0"]) { $1 }
        self.configuration = configuration
    }

    /// Begins an export: what it will hold is what is committed now.
    ///
    /// The books' reports wait for the batches that are under way, or what was recorded by a moment that is past could
    /// still be committed, and the same export made again would hold more.
    ///
    /// - Returns: what is to be read; or why there is nothing to be read.
    /// - Throws: ``LedgerError/Code/unavailable`` when the database can't be reached.
    package func begin(_ request: ExportRequest) async throws(LedgerError) -> Result<Export, ExportRefusal> {
        guard let permit = permits.take() else { return .failure(.tooMany) }
        return try await reading {
            let connection = try await PostgresConnection.connect(configuration)
            if request.report.scope != .run { _ = try await connection.waitForBatches() }
            // The first query takes the snapshot.
            try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM ledger")
            switch try await request.choosingRun(on: connection) {
            case .success(let request):
                let rows = request.rows
                try await connection.execute(rows.settings.map { "SET LOCAL \($0);" }.joined())
                return .success(Export(request: request, rows: rows, connection: connection, permit: permit))
            case .failure(let refusal):
                await connection.close()
                return .failure(refusal)
            }
        }
    }
}

/// How many exports run.
final class ExportPermits: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// - Returns: nil when there is none left.
    func take() -> ExportPermit? {
        if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue > 0 { return ExportPermit(of: self) }
        giveBack()
        return nil
    }

    fileprivate func giveBack() {
        left.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }
}

/// The right to run an export, given back when nobody holds it any more, whatever became of the export.
final class ExportPermit: Sendable {
    private let permits: ExportPermits

    fileprivate init(of permits: ExportPermits) {
        self.permits = permits
    }

    deinit {
        permits.giveBack()
    }
}
