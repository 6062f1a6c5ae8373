package import Foundation
import Postgres

/// What an examination of the books came to.
package struct Diagnosis: Sendable {
    /// The moment of the snapshot that was examined.
    package let examinedAt: Date
    /// What each check came to, in the order in which they were made.
    package internal(set) var results: [Result]
    /// When the books were last sealed; nil: never.
    package internal(set) var lastSealedAt: Date?
    /// What the server is set to that puts the books at risk; they may be sound all the same.
    package internal(set) var warnings: [Warning] = []

    /// A setting of the server under which a crash may lose or damage what was committed.
    package struct Warning: Sendable, Equatable {
        /// The stable name: `fsync_off`.
        package let code: String
        /// What may happen, and what to do.
        package let detail: String
    }

    /// What one check came to.
    package struct Result: Sendable {
        /// The stable name of what it looks for.
        package let code: String
        /// What it proves when it finds nothing.
        package let proves: String
        /// How many deviations there are.
        package let count: Int64
        /// The first of them.
        package let deviations: [Deviation]
    }

    /// One thing that is not as it should be.
    package struct Deviation: Sendable, Equatable {
        /// What it is about, as kind and id: `account:17`, `posting:17/3`, `entry:4097`.
        package let subject: String
        /// What is wrong with it, in ids and numbers: no names of users.
        package let detail: String
    }

    /// Whether nothing is wrong.
    package var isSound: Bool { results.allSatisfy { $0.count == 0 } }

    /// What found something.
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
    /// Settings that must be on for a commit to survive a crash, and are off.
    static let ofServer = PostgresQuery<[Diagnosis.Warning]>(
        """
        SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
        """,
        []
    ) { row in
        let name = try row.decode(0, as: String.self)
        return Diagnosis.Warning(
            code: "\(name)_off",
            detail: "\(name) is off: a crash of the server's machine may lose or damage committed books; set it to on")
    }
}
