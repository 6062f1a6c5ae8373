import Foundation
import LedgerTestSupport
import Postgres

@testable import Ledger

/// Books in which something is planted, looked for, and rolled back, so that all corruptions share one database.
struct AlteredBooks {
    private let connection: PostgresConnection
    private let doctor: Doctor

    /// Lends the books of a test, whose tables nobody else may write meanwhile.
    static func with(_ test: TestLedger, _ body: (AlteredBooks) async throws -> Void) async throws {
        let configuration = try test.database.configuration.forExamining
        try await PostgresConnection.with(configuration) { connection in
            try await body(AlteredBooks(connection: connection, doctor: Doctor(configuration)))
        }
    }

    /// What the doctor says while the corruption is there.
    func diagnosis(
        of corruption: Corruption, by checks: [Doctor.Check] = Doctor.Check.all, naming limit: Int = 20
    ) async throws -> Diagnosis {
        try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        do {
            try await corruption.plant(on: connection)
            let origin = SnapshotOrigin(server: .primary, time: Date())
            let diagnosis = try await doctor.examine(checks, on: (connection, origin), naming: limit)
            try await connection.execute("ROLLBACK")
            return diagnosis
        } catch {
            try? await connection.execute("ROLLBACK")
            throw error
        }
    }

    /// What the doctor's checks of a column's table say of a statement that plants a value into it.
    func verdict(on plant: String, in column: PlantedColumn) async throws -> PlantVerdict {
        try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        do {
            let verdict = try await verdictInTransaction(on: plant, in: column)
            try await connection.execute("ROLLBACK")
            return verdict
        } catch {
            try? await connection.execute("ROLLBACK")
            throw error
        }
    }

    private func verdictInTransaction(on plant: String, in column: PlantedColumn) async throws -> PlantVerdict {
        try await connection.execute("SET LOCAL session_replication_role = replica")
        let changed: Int
        do throws(PostgresError) {
            changed = try await connection.run(PostgresQuery<Int>.affected(plant))
        } catch {
            guard let state = error.sqlState, ["22", "23"].contains(state.classCode) else { throw error }
            return .refused
        }
        guard changed > 0 else { return .nothing }
        do {
            return try await isFound(in: column) ? .found : .missed
        } catch is PostgresError {
            return .found
        }
    }

    private func isFound(in column: PlantedColumn) async throws -> Bool {
        let results = try await doctor.run(column.checks, naming: 1, on: connection) { _ in }
        if results.contains(where: { $0.count > 0 }) { return true }
        guard column.isInChain else { return false }
        var chain = ChainExamination(on: connection, against: nil, naming: 1) { _ in }
        try await chain.examine()
        return chain.findings.results(withSeal: false).contains { $0.count > 0 }
    }
}
