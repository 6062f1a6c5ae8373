import Foundation
import Ledger
import LedgerWire

/// The result of a drill, as JSON.
struct DrillReportBody: Encodable {
    let holds: Bool
    let startedAt: Date
    let completedAt: Date
    let backupAt: Date?
    let restoredTo: Date?
    let live: Live?
    let entries: Pair<Int64>?
    let head: Pair<String>?
    let totals: [Total]?
    let missing: Missing?
    let seal: SealedState?
    let doctor: DiagnosisBody?
    let faults: [Fault]

    /// What the restored books hold, and what the live books held then.
    struct Pair<Value: Encodable & Sendable>: Encodable {
        let restored: Value
        let live: Value
    }

    /// The server that the live books were read from, and up to when.
    struct Live: Encodable {
        let server: String
        let time: Date
    }

    struct Total: Encodable {
        let account: String
        let currency: String
        let debits: Pair<Int64>
        let credits: Pair<Int64>
    }

    struct Missing: Encodable {
        let entries: Int64
        let since: Date?
    }

    struct SealedState: Encodable {
        let sealedAt: Date
        let entries: Int64
        let head: String

        enum CodingKeys: String, CodingKey {
            case entries, head
            case sealedAt = "sealed_at"
        }
    }

    struct Fault: Encodable {
        let code: String
        let detail: String
    }

    enum CodingKeys: String, CodingKey {
        case holds, live, entries, head, totals, missing, seal, doctor, faults
        case startedAt = "started_at"
        case completedAt = "completed_at"
        case backupAt = "backup_at"
        case restoredTo = "restored_to"
    }

    init(_ report: DrillReport) {
        let comparison = report.comparison
        holds = report.holds
        startedAt = report.startedAt
        completedAt = report.completedAt
        backupAt = report.backupAt
        restoredTo = comparison?.restoredTo
        live = comparison.map { Live(server: $0.liveOrigin.server.rawValue, time: $0.liveOrigin.time) }
        entries = comparison.map { Pair(restored: $0.restored.entries, live: $0.live.entries) }
        head = comparison.map { Pair(restored: $0.restored.head, live: $0.live.head) }
        totals = comparison?.totals.map { total in
            Total(
                account: total.account.name, currency: total.account.currency,
                debits: Pair(restored: total.restored.debits, live: total.live.debits),
                credits: Pair(restored: total.restored.credits, live: total.live.credits))
        }
        missing = comparison.map { Missing(entries: $0.missing.entries, since: $0.missing.since) }
        seal = comparison?.seal.map { seal in
            SealedState(sealedAt: seal.content.sealedAt, entries: seal.content.entries, head: seal.content.head)
        }
        doctor = report.diagnosis.map { DiagnosisBody($0, hasWarnings: false) }
        faults = report.faults.map { Fault(code: $0.code.rawValue, detail: $0.detail) }
    }

    /// The object as one line.
    var text: String {
        get throws { String(decoding: try AnswerJSON.encode(self).readableBytesView, as: UTF8.self) }
    }
}
