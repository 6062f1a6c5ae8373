import Postgres

/// All that is held about a user, in one snapshot.
///
/// It can be read once. If it is released without being read, it frees its connection.
package final class UserExport: Sendable {
    package let user: UserID
    /// The server that is read, and up to when the export is complete.
    package let origin: SnapshotOrigin

    /// The user's id and its former ones.
    private let names: [String]
    private let connection: PostgresConnection
    private let permit: ExportPermit

    fileprivate init(
        of user: UserID, called names: [String], on connection: PostgresConnection, origin: SnapshotOrigin,
        permit: ExportPermit
    ) {
        self.user = user
        self.names = names
        self.connection = connection
        self.origin = origin
        self.permit = permit
    }

    private static let rowsAtATime = 500

    /// Reads the rows: lines of JSON Lines, each a row with the name of its table, in the order of the tables' names.
    ///
    /// The next rows are read after the last ones were consumed. The last line has the number of rows; without it the
    /// export is incomplete.
    ///
    /// - Throws: ``LedgerError`` when the database fails. `CancellationError`. Errors of the closure.
    package func run(_ consume: ([UInt8]) async throws -> Void) async throws {
        do {
            try await withTaskCancellationHandler {
                try await read(consume)
            } onCancel: { [connection] in
                connection.cancel()
            }
            await connection.close()
        } catch {
            await connection.close()
            try Task.checkCancellation()
            throw error is PostgresError ? LedgerError(any: error, readingFrom: origin.server) : error
        }
    }

    private func read(_ consume: ([UInt8]) async throws -> Void) async throws {
        var count = 0
        for rowsOfUser in TableContent.all.compactMap(\.rowsOfUser) {
            _ = try await connection.run(
                .affected("DECLARE of_user NO SCROLL CURSOR FOR \(rowsOfUser)", [names]))
            while true {
                let rows = try await connection.run(Self.next)
                count += rows.count
                if !rows.isEmpty { try await consume(rows.flatMap { Array("\($0)\n".utf8) }) }
                try Task.checkCancellation()
                if rows.count < Self.rowsAtATime { break }
            }
            try await connection.execute("CLOSE of_user")
        }
        try await consume(Array("{\"rows\": \(count)}\n".utf8))
    }

    private static let next = PostgresQuery<[String]>("FETCH \(rowsAtATime) FROM of_user")
}

extension Exports {
    /// Begins an export of all that is held about a user now; of a user of whom nothing is held, it has no rows.
    ///
    /// - Returns: the export, or that too many are running.
    /// - Throws: as ``begin(_:)``.
    package func begin(of user: UserID) async throws(LedgerError) -> Result<UserExport, ExportRefusal> {
        guard let permit = permits.take() else { return .failure(.tooMany) }
        let (connection, origin) = try await source.open(waitsForBatches: true, \.forExporting)
        do {
            // The first query takes the snapshot.
            try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM ledger")
            let names = try await connection.run(UserAliases.names(behind: user))
            return .success(UserExport(of: user, called: names, on: connection, origin: origin, permit: permit))
        } catch {
            await connection.close()
            throw LedgerError(any: error, readingFrom: origin.server)
        }
    }
}
