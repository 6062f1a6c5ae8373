import Foundation
import Ledger
import Postgres
import Timing

/// Restores a backup into a scratch cluster, and proves that it holds the books.
struct Drill: Sendable {
    let live: BooksSource
    /// How the backup is restored.
    var cluster = ScratchCluster.Options()
    /// The moment up to which; nil: all that is archived.
    var moment: Date?
    /// How old the backup may be; nil: it does not matter.
    var maxAge: Duration?
    /// The key that must have signed the seal; nil: the one that the seal names itself.
    var key: SealPublicKey?
    /// How many deviations of each kind are named.
    var limit = 20
    /// Told what begins.
    var progress: @Sendable (String) -> Void = { _ in }

    /// Makes the drill.
    ///
    /// Nothing of it is left, also when the task is cancelled.
    ///
    /// - Returns: the result, also if the backup can't be restored.
    /// - Throws: ``DrillImpossible``, ``LedgerError``, `PostgresError` when the drill could not be made.
    func perform() async throws -> DrillReport {
        var report = DrillReport(startedAt: Time.current.now)
        do {
            try await ScratchCluster.with(cluster) { cluster in
                progress("restoring")
                try await cluster.restore(to: moment)
                let label = cluster.backupLabelTime
                progress("recovering")
                try await cluster.serving(like: live.primary) { copy in
                    report.backupAt = try await Self.time(label, copy)
                    try await examine(copy, &report)
                }
            }
        } catch let error as RestoreFailed {
            report.faults.append(DrillReport.Fault(.notRestored, error.description))
        }
        report.completedAt = Time.current.now
        return report
    }

    private func examine(_ copy: PostgresConfiguration, _ report: inout DrillReport) async throws {
        progress("comparing with the live books")
        let comparison = try await BooksComparison(of: copy, with: live)
        report.comparison = comparison
        // Nothing serves the copy, so what is overdue there is nothing wrong.
        let diagnosis = try await Doctor(copy).examine(
            Doctor.Check.books, against: comparison.seal, trusting: key, naming: limit
        ) {
            progress("doctor \($0.number)/\($0.count) \($0.code)")
        }
        report.diagnosis = diagnosis
        report.judge(maxAge: maxAge)
    }

    /// The server reads its own way of writing times, with the zone's abbreviation.
    private static func time(_ label: String?, _ copy: PostgresConfiguration) async throws -> Date? {
        guard let label else { return nil }
        return try await PostgresConnection.with(copy) { connection in
            try await connection.run(PostgresQuery<Date>.one("SELECT $1::text::timestamptz", [label]) { try $0[0] })
        }
    }
}

/// The result of a drill.
struct DrillReport: Sendable {
    let startedAt: Date
    var completedAt = Time.current.now
    /// When the backup that was restored began; nil: it is not known.
    var backupAt: Date?
    /// Nil if the drill ended before it.
    var comparison: BooksComparison?
    /// Nil if the drill ended before it.
    var diagnosis: Diagnosis?
    /// Why the backup does not hold.
    var faults: [Fault] = []

    /// Whether the backup was restored and holds the books.
    var holds: Bool { faults.isEmpty && comparison != nil && diagnosis != nil }

    /// A reason why a backup does not hold.
    struct Fault: Sendable, Equatable {
        enum Code: String, Sendable {
            case notRestored = "not_restored"
            case tooOld = "backup_too_old"
            case differs = "books_differ"
            case notSound = "books_not_sound"
        }

        let code: Code
        let detail: String

        init(_ code: Code, _ detail: String) {
            self.code = code
            self.detail = detail
        }
    }

    /// Adds the faults of what was found.
    fileprivate mutating func judge(maxAge: Duration?) {
        if let maxAge {
            let age = backupAt.map { Duration.seconds(startedAt.timeIntervalSince($0)) }
            if age.map({ $0 > maxAge }) ?? true {
                let told = age.map { "is \(DurationText.rounded($0)) old" } ?? "does not tell when it was made"
                let most = DurationText.text(of: maxAge)
                faults.append(Fault(.tooOld, "the backup \(told); it may be \(most) old"))
            }
        }
        if comparison?.isSame == false {
            faults.append(Fault(.differs, "the restored books are not what the live books were at that moment"))
        }
        if diagnosis?.isSound == false {
            faults.append(Fault(.notSound, "the doctor found deviations in the restored books"))
        }
    }
}

extension DurationText {
    /// A duration to the second, or above two minutes to the minute.
    static func rounded(_ duration: Duration) -> String {
        let unit: Int64 = duration < .seconds(120) ? 1 : 60
        return text(of: .seconds(duration.components.seconds / unit * unit))
    }
}

/// The drill could not be made, which says nothing of the backup.
struct DrillImpossible: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The backup could not be restored.
struct RestoreFailed: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
