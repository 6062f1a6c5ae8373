package import Foundation
import Postgres

/// The result of an examination of the books.
package struct Diagnosis: Sendable {
    /// The server that was examined, and the moment of the snapshot.
    package let origin: SnapshotOrigin
    /// The results of the checks, in order.
    package internal(set) var results: [Result]
    /// When the books were last sealed; nil: never.
    package internal(set) var lastSealedAt: Date?
    /// Server settings that put the books at risk.
    ///
    /// The books may still be sound.
    package internal(set) var warnings: [Warning] = []

    /// A server setting with which a crash may lose or damage committed data.
    package struct Warning: Sendable, Equatable {
        /// The stable name, such as `fsync_off`.
        package let code: String
        /// What may happen, and what to do.
        package let detail: String
    }

    /// The result of a check.
    package struct Result: Sendable {
        /// The stable name of the deviation.
        package let code: String
        /// The statement that is true when the check finds nothing.
        package let proves: String
        /// The number of deviations.
        package let count: Int64
        /// The first deviations.
        package let deviations: [Deviation]
    }

    /// The moment of the snapshot that was examined.
    package var examinedAt: Date { origin.time }

    /// One thing that is wrong.
    package struct Deviation: Sendable, Equatable {
        /// Kind and id, such as `account:17`, `posting:17/3` or `entry:4097`.
        package let subject: String
        /// What is wrong, with ids and numbers but without user ids.
        package let detail: String
    }

    /// Whether nothing is wrong.
    package var isSound: Bool { results.allSatisfy { $0.count == 0 } }

    /// The results with deviations.
    package var findings: [Result] { results.filter { $0.count > 0 } }
}

extension Diagnosis.Result {
    init(_ check: Doctor.Check, _ found: [Doctor.Check.Found]) {
        self.init(
            code: check.code, proves: check.proves, count: found.first?.count ?? 0,
            deviations: found.map(\.deviation))
    }
}

extension Diagnosis.Warning {
    /// Settings that are off although a commit survives a crash only if they are on.
    static let ofServer = PostgresQuery<[Diagnosis.Warning]>(
        """
        SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
        """,
        []
    ) { row in
        let name = try row.decode(0, as: String.self)
        return Diagnosis.Warning(
            code: "\(name)_off",
            detail: "\(name) is off: a crash of the server's machine may lose or damage committed data; set it to on")
    }
}
