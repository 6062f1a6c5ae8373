import Postgres

/// All that is held about a user, in one snapshot.
///
/// It can be read once. If it is released without being read, it frees its connection.
package final class UserExport: Sendable {
    package let user: UserID
    /// The server that is read, and up to when the export is complete.
    package let origin: SnapshotOrigin

    private let connection: PostgresConnection
    private let permit: ExportPermit

    fileprivate init(
        of user: UserID, on connection: PostgresConnection, origin: SnapshotOrigin, permit: ExportPermit
    ) {
        self.user = user
        self.connection = connection
        self.origin = origin
        self.permit = permit
    }

    private static let rowsAtATime = 500

    /// Reads the rows, each as a JSON object with the name of its table, in the order of the tables' names.
    ///
    /// The next rows are read after the last ones were consumed.
    ///
    /// - Returns: how many rows there are.
    /// - Throws: ``LedgerError`` when the database fails. `CancellationError`. Errors of the closure.
    package func run(_ consume: ([String]) async throws -> Void) async throws -> Int {
        do {
            let rows = try await withTaskCancellationHandler {
                try await read(consume)
            } onCancel: { [connection] in
                connection.cancel()
            }
            await connection.close()
            return rows
        } catch {
            await connection.close()
            try Task.checkCancellation()
            throw error is PostgresError ? LedgerError(any: error, readingFrom: origin.server) : error
        }
    }

    private func read(_ consume: ([String]) async throws -> Void) async throws -> Int {
        var count = 0
        for rowsOfUser in TableContent.all.compactMap(\.rowsOfUser) {
            _ = try await connection.run(
                .affected("DECLARE of_user NO SCROLL CURSOR FOR \(rowsOfUser)", [user.rawValue]))
            while true {
                let rows = try await connection.run(Self.next)
                count += rows.count
                if !rows.isEmpty { try await consume(rows) }
                try Task.checkCancellation()
                if rows.count < Self.rowsAtATime { break }
            }
            try await connection.execute("CLOSE of_user")
        }
        return count
    }

    private static let next = PostgresQuery<[String]>("FETCH \(rowsAtATime) FROM of_user")
}

extension Exports {
    /// Begins an export of all that is held about a user now; of a user of whom nothing is held, it has no rows.
    ///
    /// - Returns: nil when too many exports are running.
    /// - Throws: as ``begin(_:)``.
    package func begin(of user: UserID) async throws(LedgerError) -> UserExport? {
        guard let permit = permits.take() else { return nil }
        let (connection, origin) = try await source.open(waitsForBatches: true, \.forExporting)
        do {
            // The first query takes the snapshot.
            try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM ledger")
            return UserExport(of: user, on: connection, origin: origin, permit: permit)
        } catch {
            await connection.close()
            throw LedgerError(any: error, readingFrom: origin.server)
        }
    }
}
