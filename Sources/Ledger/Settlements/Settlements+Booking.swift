/// What importing a settlement file came to.
package struct SettlementReport: Sendable, Equatable {
    /// The file as it is now.
    package let file: SettlementFile
    /// How many of its lines were booked just now; the others were before, or can't be.
    package let settledNow: Int64
}

/// What importing a settlement file would come to.
package struct SettlementPreview: Sendable, Equatable {
    /// How many lines name one payment each.
    package let matched: Int64
    /// What those add up to.
    package let totals: SettlementTotals
    /// The lines that name none, or several: line and id, 100 at the most.
    package let unmatched: [SettlementLineDraft]
    /// How many of those there are.
    package let unmatchedCount: Int64
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
    /// Books the lines of a settlement file, each once: a file that was imported before books what is left of it.
    ///
    /// The lines are stored before the first is booked, so after a crash the same file goes on where it was.
    ///
    /// - Parameter importer: who imports it.
    /// - Parameter report: is called after each batch of lines.
    package func book(
        _ file: SettlementFileDraft, by importer: String,
        report: @Sendable (SettlementProgress) -> Void = { _ in }
    ) async throws(LedgerError) -> SettlementReport {
        let (id, total) = try await store(file, by: importer, report)
        let payouts = file.payouts
        var (settledNow, done): (Int64, Int64) = (0, 0)
        while case let lines = try await waiting(of: id), !lines.isEmpty {
            settledNow += try await book(lines, among: payouts)
            done += Int64(lines.count)
            report(SettlementProgress(.booking, done, of: total))
        }
        guard let imported = try await find(id) else {
            throw LedgerError(.fault, "a file that was just booked is not there")
        }
        return SettlementReport(file: imported, settledNow: settledNow)
    }

    /// What ``book(_:by:)`` would come to; nothing is written.
    package func preview(_ file: SettlementFileDraft) async throws(LedgerError) -> SettlementPreview {
        var matched: [SettlementLineDraft] = []
        var unmatched: [SettlementLineDraft] = []
        for start in stride(from: 0, to: file.lines.count, by: Self.batch) {
            let lines = file.lines[start..<min(start + Self.batch, file.lines.count)]
            let purchases = try await purchases(named: lines.map(\.payment))
            for line in lines {
                if purchases[ExactText(line.payment)]?.count == 1 {
                    matched.append(line)
                } else {
                    unmatched.append(line)
                }
            }
        }
        return SettlementPreview(
            matched: Int64(matched.count),
            totals: SettlementTotals(
                gross: matched.reduce(0) { $0 + $1.gross }, fee: matched.reduce(0) { $0 + $1.fee },
                tax: matched.reduce(0) { $0 + $1.tax }, net: matched.reduce(0) { $0 + $1.net }),
            unmatched: Array(unmatched.prefix(100)), unmatchedCount: Int64(unmatched.count))
    }

    /// Books lines, and writes of the others why not.
    ///
    /// - Parameter payouts: what the file says of each line's payment and day.
    /// - Returns: how many were booked.
    private func book(
        _ lines: [SettlementLine], among payouts: [Int64: [PayoutAmounts]]
    ) async throws(LedgerError) -> Int64 {
        let purchases = try await purchases(named: lines.map(\.payment))
        var left: [(id: Int64, reason: String?)] = []
        var acts: [(line: Int64, act: Settle)] = []
        for line in lines {
            let found = purchases[ExactText(line.payment)] ?? []
            if found.count == 1, let purchase = found.first {
                acts.append(
                    (
                        line.id,
                        Settle(
                            user: purchase.user, payment: purchase.payment, lineID: line.id,
                            siblings: payouts[line.number] ?? [])
                    ))
            } else {
                left.append((line.id, found.isEmpty ? nil : "ambiguous"))
            }
        }
        let (booked, refused) = try await submit(acts)
        try await leave(left + refused)
        return booked
    }

    /// Performs the acts at the same time, so that they go in few batches: a payment's one after the other, for what
    /// is taken back makes room for what comes after it.
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
    /// The reason that is kept with a line.
    fileprivate var settlementReason: String {
        switch self {
        case .alreadySettled: "already_settled"
        case .settledOtherwise: "settled_otherwise"
        case .exceedsPayment: "exceeds_payment"
        case .implausiblePayout(let fault): fault.rawValue
        case .noSuchPurchase: "changed_meanwhile"
        default: "refused"
        }
    }
}
