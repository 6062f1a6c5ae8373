package import Foundation
import Postgres
import Timing

/// The result of importing a settlement file.
package struct SettlementReport: Sendable, Equatable {
    /// The file after the import.
    package let file: SettlementFile
    /// The number of lines that this import booked.
    ///
    /// The others were booked before, or can't be booked.
    package let settledNow: Int64
}

/// A preview of importing a settlement file.
package struct SettlementPreview: Sendable, Equatable {
    /// The number of lines that match exactly one purchase.
    package let matched: Int64
    /// The sums of the matched lines.
    package let totals: SettlementTotals
    /// The first 100 lines that match no purchase or several.
    package let unmatched: [SettlementLineDraft]
    /// The number of lines that match no purchase or several.
    package let unmatchedCount: Int64
    /// What an import will do with each line, in the file's order.
    package let lines: [PreviewedLine]
}

/// A line of a settlement file, and what an import will do with it.
package struct PreviewedLine: Sendable, Equatable {
    package enum Outcome: Sendable, Hashable {
        /// It will be booked.
        case booked
        /// The ledger has no purchase with the payment's id.
        case unmatched
        /// It can't be booked, for this reason of ``SettlementLine/reason``.
        case refused(String)
    }

    package let draft: SettlementLineDraft
    package let outcome: Outcome
    /// The user of the payment; nil: none or several are known.
    package let user: UserID?
}

/// The progress of importing a settlement file.
package struct SettlementProgress: Sendable, Equatable {
    /// What is done with the lines.
    package enum Stage: String, Sendable {
        /// They are stored.
        case storing
        /// They are booked.
        case booking
    }

    /// The present stage.
    package let stage: Stage
    /// The number of lines that are done.
    package let done: Int64
    /// The number of lines of the stage.
    package let total: Int64

    init(_ stage: Stage, _ done: some BinaryInteger, of total: some BinaryInteger) {
        self.stage = stage
        self.done = Int64(done)
        self.total = Int64(total)
    }
}

extension Settlements {
    /// Books the lines of a settlement file, each once.
    ///
    /// Importing a file again books the lines that are left. All lines are stored before the first one is booked, so
    /// after a crash the same file continues where it stopped. Only lines that are in the file as it is read now are booked.
    ///
    /// - Parameters:
    ///   - importer: who imports the file.
    ///   - report: gets the progress after each batch of lines.
    package func book(
        _ file: SettlementFileDraft, by importer: String,
        report: @Sendable (SettlementProgress) -> Void = { _ in }
    ) async throws(LedgerError) -> SettlementReport {
        let (id, total) = try await store(file, by: importer, report)
        let payouts = file.payouts
        var (settledNow, done, last): (Int64, Int64, Int64) = (0, 0, 0)
        while case let lines = try await waiting(of: id, after: last), let end = lines.last?.number {
            // A line of an import that was interrupted waits on if this reading of the file has none of its number.
            let read = lines.filter { payouts[$0.number] != nil }
            settledNow += try await book(read, among: payouts)
            (done, last) = (done + Int64(read.count), end)
            report(SettlementProgress(.booking, done, of: total))
        }
        guard let imported = try await find(id) else {
            throw LedgerError(.fault, "a settlement file that was just booked is missing")
        }
        return SettlementReport(file: imported, settledNow: settledNow)
    }

    /// Previews ``book(_:by:)`` without writing anything.
    package func preview(
        _ file: SettlementFileDraft, at now: Date = Time.current.now
    ) async throws(LedgerError) -> SettlementPreview {
        let known = try await reading { try await pools.reads.run(SettlementFile.id(of: file.sha256)) }
        var matched: [SettlementLineDraft] = []
        var unmatched: [SettlementLineDraft] = []
        var trial = SettlementTrial(of: file, known: known, at: now)
        var previewed: [PreviewedLine] = []
        for start in stride(from: 0, to: file.lines.count, by: Self.batch) {
            let lines = file.lines[start..<min(start + Self.batch, file.lines.count)]
            let purchases = try await purchases(named: lines.map(\.payment))
            let single = purchases.values.filter { $0.count == 1 }.flatMap(\.self)
            trial.add(try await booked(of: single))
            for line in lines {
                let found = purchases[ExactText(line.payment)] ?? []
                if found.count == 1 { matched.append(line) } else { unmatched.append(line) }
                previewed.append(trial.take(line, among: found))
            }
        }
        return SettlementPreview(
            matched: Int64(matched.count),
            totals: SettlementTotals(
                gross: matched.reduce(0) { $0 + $1.gross }, fee: matched.reduce(0) { $0 + $1.fee },
                tax: matched.reduce(0) { $0 + $1.tax }, net: matched.reduce(0) { $0 + $1.net }),
            unmatched: Array(unmatched.prefix(100)), unmatchedCount: Int64(unmatched.count), lines: previewed)
    }

    /// The booked lines of purchases.
    private func booked(of purchases: [Purchase]) async throws(LedgerError) -> [SettlementLine] {
        try await reading { try await pools.reads.run(SettlementLine.of([], purchases.map(\.payment))) }
    }

    /// Books lines, and stores why the others can't be booked.
    ///
    /// - Parameter payouts: for each line number, the amounts of the same payment and day.
    /// - Returns: how many were booked.
    func book(
        _ lines: [SettlementLine], among payouts: [Int64: [SettledAmounts]]
    ) async throws(LedgerError) -> Int64 {
        let purchases = try await purchases(named: lines.map(\.payment))
        var left: [(id: Int64, reason: String?)] = []
        var acts: [(line: Int64, act: Settle)] = []
        for line in lines {
            let found = purchases[ExactText(line.payment)] ?? []
            let reason = line.draft.misnaming(among: found)
            if reason == nil, let purchase = found.first {
                acts.append(
                    (
                        line.id,
                        Settle(
                            user: purchase.user, payment: purchase.payment, lineID: line.id,
                            siblings: payouts[line.number] ?? [])
                    ))
            } else {
                left.append((line.id, reason))
            }
        }
        let (booked, refused) = try await submit(acts)
        try await leave(left + refused)
        return booked
    }

    /// Submits the acts concurrently, so that they form few batches.
    ///
    /// The acts of a payment go one after the other, because a deduction makes room for later payouts.
    private func submit(
        _ acts: [(line: Int64, act: Settle)]
    ) async throws(LedgerError) -> (booked: Int64, refused: [(id: Int64, reason: String?)]) {
        try await reading {
            try await withThrowingTaskGroup(of: [(line: Int64, answer: Answer<Settled>)].self) { group in
                for ofPayment in Dictionary(grouping: acts, by: \.act.payment).values {
                    group.addTask { [queues] in
                        var answers: [(line: Int64, answer: Answer<Settled>)] = []
                        for (line, act) in ofPayment {
                            answers.append((line, try await queues.submit(act)))
                        }
                        return answers
                    }
                }
                return try await group.reduce(into: (0, [])) { result, answers in
                    for one in answers {
                        if let refusal = one.answer.refusal {
                            result.refused.append((one.line, refusal.settlementReason))
                        } else if !one.answer.isRepeat {
                            result.booked += 1
                        }
                    }
                }
            }
        }
    }
}

extension Refusal {
    /// The reason that is stored with a refused line.
    var settlementReason: String {
        switch self {
        case .alreadySettled: "already_settled"
        case .settledOtherwise: "settled_otherwise"
        case .exceedsPayment: "exceeds_payment"
        case .settledInForeignCurrency: "foreign_currency"
        case .implausiblePayout(let fault): fault.rawValue
        case .noSuchPurchase: "changed_meanwhile"
        default: "refused"
        }
    }
}
