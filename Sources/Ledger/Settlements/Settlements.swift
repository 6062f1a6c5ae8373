import Foundation
import Postgres

/// Where the next page of files or lines begins.
package struct SettlementCursor: Sendable, Codable, Equatable {
    /// The last file's id, or the last line's number.
    package let last: Int64
}

/// The gateway's payouts: imported settlement files, and outstanding payments.
package struct Settlements: Sendable {
    let pools: Pools
    let queues: PostingQueues
    /// The accounts of the won that gateways owe, with the ids of all stripes.
    let receivables: [(name: String, ids: [Int64])]
    /// Whether VAT is booked.
    let booksVAT: Bool

    init(_ pools: Pools, chart: SystemChart, queues: PostingQueues, booksVAT: Bool) {
        self.pools = pools
        self.queues = queues
        self.booksVAT = booksVAT
        receivables = SystemAccount.receivables.map { ($0.rawValue, chart.ids(of: $0)) }
    }

    /// The file with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> SettlementFile? {
        try await reading { try await pools.reads.run(SettlementFile.find(id)) }
    }

    /// Files that were imported in the period, newest first.
    package func list(
        in period: Period = .always, after cursor: SettlementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<SettlementFile, SettlementCursor> {
        try await reading {
            let found = try await pools.reads.run(SettlementFile.list(in: period, before: cursor?.last, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { SettlementCursor(last: $0.id) } }
        }
    }

    /// A file's lines in the file's order.
    package func listLines(
        of file: Int64, _ status: SettlementLine.Status? = nil, after cursor: SettlementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<SettlementLine, SettlementCursor> {
        try await reading {
            let found = try await pools.reads.run(
                SettlementLine.list(of: file, status, after: cursor?.last ?? 0, limit: limit + 1))
            return Page(found, limit: limit) { shown in shown.last.map { SettlementCursor(last: $0.number) } }
        }
    }

    /// Lines of all files whose payment is not in the books, oldest first.
    package func listUnmatched(
        after cursor: SettlementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<SettlementLine, SettlementCursor> {
        try await reading {
            let found = try await pools.reads.run(
                SettlementLine.unmatched(after: cursor?.last ?? 0, limit: limit + 1))
            return Page(found, limit: limit) { shown in shown.last.map { SettlementCursor(last: $0.id) } }
        }
    }
}

// MARK: - Importing

extension Settlements {
    /// The number of lines that are processed at a time.
    static let batch = 1000

    /// Stores a file, or finds it among those that are known, with its lines waiting to be booked.
    func store(
        _ file: SettlementFileDraft, by importer: String, _ report: @Sendable (SettlementProgress) -> Void
    ) async throws(LedgerError) -> (id: Int64, waiting: Int64) {
        try await reading {
            var waiting = 0
            let made = try await pools.writes.run(SettlementFile.insert(file.name, file.sha256, by: importer))
            guard let id = try await known(made, file.sha256) else {
                throw LedgerError(.fault, "a settlement file that was just stored is missing")
            }
            for start in stride(from: 0, to: file.lines.count, by: Self.batch) {
                let lines = Array(file.lines[start..<min(start + Self.batch, file.lines.count)])
                waiting += try await pools.writes.run(SettlementLine.store(lines, of: id))
                report(SettlementProgress(.storing, start + lines.count, of: file.lines.count))
            }
            return (id, Int64(waiting))
        }
    }

    private func known(_ made: Int64?, _ sha256: [UInt8]) async throws -> Int64? {
        if let made { return made }
        return try await pools.writes.run(SettlementFile.id(of: sha256))
    }

    /// Lines after a number that are not booked yet, at most ``batch``.
    func waiting(of file: Int64, after number: Int64) async throws(LedgerError) -> [SettlementLine] {
        try await reading {
            try await pools.reads.run(SettlementLine.list(of: file, .waiting, after: number, limit: Self.batch))
        }
    }

    /// The purchases with these ids, by id.
    ///
    /// One id may match two purchases.
    func purchases(named texts: [String]) async throws(LedgerError) -> [ExactText: [Purchase]] {
        try await reading {
            var found: [ExactText: [Purchase]] = [:]
            for match in try await pools.reads.run(Purchase.named(texts)) {
                for name in match.names { found[name, default: []].append(match.purchase) }
            }
            return found
        }
    }

    /// Stores why lines can't be booked; nil: no payment has the line's id.
    func leave(_ lines: [(id: Int64, reason: String?)]) async throws(LedgerError) {
        guard !lines.isEmpty else { return }
        try await reading { _ = try await pools.writes.run(SettlementLine.leave(lines)) }
    }
}
