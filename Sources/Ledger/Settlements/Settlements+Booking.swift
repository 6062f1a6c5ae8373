/// What importing a statement came to.
package struct SettlementReport: Sendable, Equatable {
    /// The file as it is now.
    package let file: SettlementFile
    /// How many of its rows were booked just now; the others were before, or can't be.
    package let settledNow: Int64
}

/// What importing a statement would come to.
package struct SettlementPreview: Sendable, Equatable {
    /// How many rows name one payment each.
    package let matched: Int64
    /// What those add up to.
    package let totals: SettlementTotals
    /// The rows that name none, or several: line and id, 100 at the most.
    package let unmatched: [SettlementDraft]
    /// How many of those there are.
    package let unmatchedCount: Int64
}

extension Settlements {
    /// Books the rows of a statement, each once: a statement that was imported before books what is left of it.
    ///
    /// The rows are stored before the first is booked, so after a crash the same file goes on where it was.
    ///
    /// - Parameter importer: who imports it.
    package func book(
        _ statement: SettlementStatement, by importer: String
    ) async throws(LedgerError) -> SettlementReport {
        let id = try await store(statement, by: importer)
        let payouts = statement.payouts
        var settledNow: Int64 = 0
        while case let rows = try await waiting(of: id), !rows.isEmpty {
            settledNow += try await book(rows, among: payouts)
        }
        guard let file = try await find(id) else {
            throw LedgerError(.fault, "a file that was just booked is not there")
        }
        return SettlementReport(file: file, settledNow: settledNow)
    }

    /// What ``book(_:by:)`` would come to; nothing is written.
    package func preview(_ statement: SettlementStatement) async throws(LedgerError) -> SettlementPreview {
        var matched: [SettlementDraft] = []
        var unmatched: [SettlementDraft] = []
        for start in stride(from: 0, to: statement.rows.count, by: Self.batch) {
            let rows = statement.rows[start..<min(start + Self.batch, statement.rows.count)]
            let purchases = try await purchases(named: rows.map(\.payment))
            for row in rows {
                if purchases[ExactText(row.payment)]?.count == 1 { matched.append(row) } else { unmatched.append(row) }
            }
        }
        return SettlementPreview(
            matched: Int64(matched.count),
            totals: SettlementTotals(
                gross: matched.reduce(0) { $0 + $1.gross }, fee: matched.reduce(0) { $0 + $1.fee },
                tax: matched.reduce(0) { $0 + $1.tax }, net: matched.reduce(0) { $0 + $1.net }),
            unmatched: Array(unmatched.prefix(100)), unmatchedCount: Int64(unmatched.count))
    }

    /// Books rows, and writes of the others why not.
    ///
    /// - Parameter payouts: what the file says of each line's payment and day.
    /// - Returns: how many were booked.
    private func book(
        _ rows: [SettlementRow], among payouts: [Int64: [PayoutAmounts]]
    ) async throws(LedgerError) -> Int64 {
        let purchases = try await purchases(named: rows.map(\.payment))
        var left: [(id: Int64, reason: String?)] = []
        var acts: [(row: Int64, act: Settle)] = []
        for row in rows {
            let found = purchases[ExactText(row.payment)] ?? []
            if found.count == 1, let purchase = found.first {
                acts.append(
                    (
                        row.id,
                        Settle(
                            user: purchase.user, payment: purchase.payment, rowID: row.id,
                            siblings: payouts[row.line] ?? [])
                    ))
            } else {
                left.append((row.id, found.isEmpty ? nil : "ambiguous"))
            }
        }
        let (booked, refused) = try await submit(acts)
        try await leave(left + refused)
        return booked
    }

    /// Performs the acts at the same time, so that they go in few batches: a payment's one after the other, for what
    /// is taken back makes room for what comes after it.
    private func submit(
        _ acts: [(row: Int64, act: Settle)]
    ) async throws(LedgerError) -> (booked: Int64, refused: [(id: Int64, reason: String?)]) {
        try await reading {
            try await withThrowingTaskGroup(of: [(row: Int64, answer: Answer<Settled>)].self) { group in
                for ofPayment in Dictionary(grouping: acts, by: \.act.payment).values {
                    group.addTask { [queues] in
                        var answers: [(row: Int64, answer: Answer<Settled>)] = []
                        for (row, act) in ofPayment {
                            answers.append((row, try await queues.submit(act)))
                        }
                        return answers
                    }
                }
                return try await group.reduce(into: (0, [])) { result, answers in
                    for one in answers {
                        if let refusal = one.answer.refusal {
                            result.refused.append((one.row, refusal.settlementReason))
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
    /// The reason that is kept with a row.
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
