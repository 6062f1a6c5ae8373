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
}
