import Foundation
import Postgres

/// What the events of a page are about.
///
/// Everything is found by key, and read in one round trip.
struct EventFacts: Sendable {
    private var purchases: [Int64: Purchase] = [:]
    private var holds: [Int64: Hold] = [:]
    private var refunds: [Int64: Refund] = [:]
    private var lots: [Int64: Lot] = [:]
    private var settlementLines: [Int64: SettlementLine] = [:]
    /// By journal entry.
    private var reversals: [Int64: PurchaseReversal] = [:]
    private var decisions: [Int64: EventEntry.Decision] = [:]
    private var movedOfHolds: [Int64: Int64] = [:]
    private var outcomes: [Int64: Outcome] = [:]
    private var reversed: [Int64: Reversal] = [:]
    private var adjustments: [Int64: Adjustment] = [:]
    private var revaluations: [Int64: Revaluation] = [:]
    /// What one row has whole, by journal entry: payouts, gifts, and payments of debts and claims.
    private var ofOneRow: [Int64: EventEntry.Fact] = [:]
    /// By hold.
    private var lotsOfHolds: [Int64: EventLots] = [:]
    /// By event, then by account.
    private var accounts: [Int64: [AccountCode: Line]] = [:]

    /// The lots and the provider of a spend or capture.
    struct Outcome: Sendable {
        let lots: EventLots
        let provider: String?
    }

    /// What came back by a reversal, in the order of lots.
    struct Reversal: Sendable {
        let redemptionID: Int64
        let provider: String?
        /// All coins that came back, and the won recognised for them.
        let coins: Int64
        let amount: Int64
        var lots: EventLots
    }

    /// An account of the user after the event.
    struct Line: Sendable {
        let balance: Int64
        let change: Int64
    }

    enum Part: Sendable {
        case purchases([Purchase])
        case holds([Hold])
        case refunds([Refund])
        case lots([Lot])
        case settlementLines([SettlementLine])
        case reversals([PurchaseReversal])
        case decisions([(entry: Int64, decision: EventEntry.Decision)])
        case movedOfHolds([(entry: Int64, coins: Int64)])
        case outcomes([(entry: Int64, outcome: Outcome)])
        case reversed([(entry: Int64, reversal: Reversal)])
        case adjustments([Adjustment])
        case revaluations([Revaluation])
        case ofOneRow([(entry: Int64, fact: EventEntry.Fact)])
        case firstExpiries([(lot: Int64, expiresAt: Date)])
        case lotsOfHolds([(hold: Int64, lots: EventLots)])
        case accounts([(event: Int64, code: AccountCode, line: Line)])
    }

    /// Reads what the rows are about.
    static func load(for rows: [EventRow], on connection: PostgresConnection) async throws(PostgresError) -> EventFacts
    {
        var facts = EventFacts()
        for part in try await connection.pipeline(lookUps(for: rows)) { facts.add(part) }
        return facts
    }

    private mutating func add(_ part: Part) {
        switch part {
        case .purchases(let found): for purchase in found { purchases[purchase.id] = purchase }
        case .holds(let found): for hold in found { holds[hold.id] = hold }
        case .refunds(let found): for refund in found { refunds[refund.id] = refund }
        case .lots(let found): for lot in found { lots[lot.id] = lot }
        case .settlementLines(let found): for line in found { settlementLines[line.id] = line }
        case .reversals(let found): for reversal in found { reversals[reversal.journalEntryID] = reversal }
        case .decisions(let found): for (entry, decision) in found { decisions[entry] = decision }
        case .movedOfHolds(let found): for (entry, coins) in found { movedOfHolds[entry] = coins }
        case .outcomes(let found): for (entry, outcome) in found { outcomes[entry] = outcome }
        case .reversed(let found):
            for (entry, reversal) in found {
                reversed[entry, default: Reversal(of: reversal)].lots.first += reversal.lots.first
            }
        case .adjustments(let found): for adjustment in found { adjustments[adjustment.id] = adjustment }
        case .revaluations(let found): for revaluation in found { revaluations[revaluation.id] = revaluation }
        case .ofOneRow(let found): for (entry, fact) in found { ofOneRow[entry] = fact }
        case .firstExpiries(let found): for (lot, expiresAt) in found { lots[lot]?.expiresAt = expiresAt }
        case .lotsOfHolds(let found):
            for (hold, lots) in found {
                lotsOfHolds[hold, default: EventLots(count: lots.count)].first += lots.first
            }
        case .accounts(let found): for (event, code, line) in found { accounts[event, default: [:]][code] = line }
        }
    }
}

// MARK: - Events

extension EventFacts {
    /// The event of a row.
    func event(_ row: EventRow) -> Event {
        Event(seq: row.seq, type: row.type, user: row.user, recordedAt: row.recordedAt, content: content(of: row))
    }

    private func content(of row: EventRow) -> Event.Content {
        switch row.source {
        case .occurrence(let occurrence): return .occurrence(occurrence)
        case .entry(let kind, let reference, let reason, let effectiveAt):
            let lots = lots(of: row)
            return .entry(
                EventEntry(
                    id: row.id, effectiveAt: effectiveAt, reason: kind == .settlement ? nil : reason,
                    reference: ownReference(of: row, reference), change: change(row), balance: balance(row),
                    lots: lots.first, lotCount: lots.count, fact: fact(of: row)))
        }
    }

    /// A spend without a reference of its own names its user.
    private func ownReference(of row: EventRow, _ reference: String) -> String? {
        guard row.kind == .spend else { return row.id(of: "hold").flatMap { holds[$0]?.reference } }
        return reference == row.user.map { "user:\($0.rawValue)" } ? nil : reference
    }

    private func balance(_ row: EventRow) -> Balance? {
        row.user.map { user in
            Balance(user: user) { accounts[row.seq]?[.user($0, of: user)]?.balance ?? 0 }
        }
    }

    private func change(_ row: EventRow) -> CoinChange? {
        row.user.map { user in
            func change(_ account: UserAccount) -> Int64 { accounts[row.seq]?[.user(account, of: user)]?.change ?? 0 }
            return CoinChange(
                paid: change(.paid), bonus: change(.bonus), held: change(.heldPaid) + change(.heldBonus),
                debt: change(.debt))
        }
    }

    private func lots(of row: EventRow) -> EventLots {
        let lots =
            switch row.kind?.row.lots {
            case .used: outcomes[row.id]?.lots
            case .returned: reversed[row.id]?.lots
            case .held: row.id(of: "hold").flatMap { lotsOfHolds[$0] }
            case nil: nil as EventLots?
            }
        return lots ?? EventLots()
    }

    private func fact(of row: EventRow) -> EventEntry.Fact? {
        switch row.kind?.row.fact {
        case .purchase: purchase(of: row).map(EventEntry.Fact.purchase)
        case .clawBack:
            purchase(of: row).flatMap { purchase in
                reversals[row.id].map {
                    .clawBack(
                        purchase, amount: abs($0.amount), foreignAmount: $0.foreignAmount.map(abs),
                        coins: abs($0.coins), bonusCoins: abs($0.bonusCoins))
                }
            }
        case .hold:
            row.id(of: "hold").flatMap { holds[$0] }.map {
                .hold($0, coins: movedOfHolds[row.id] ?? $0.coins, provider: outcomes[row.id]?.provider)
            }
        case .reversal:
            reversed[row.id].map {
                .reversal(of: $0.redemptionID, provider: $0.provider, coins: $0.coins, amount: $0.amount)
            }
        case .refund:
            row.id(of: "refund").flatMap { refunds[$0] }.flatMap { refund in
                purchases[refund.purchaseID].map { .refund(refund, $0, decisions[row.id]) }
            }
        case .lot: row.id(of: "lot").flatMap { lots[$0] }.map(EventEntry.Fact.lot)
        case .debtPayment, .payout, .repayment, .gift: ofOneRow[row.id]
        case .adjustment:
            row.id(of: "adjustment").flatMap { adjustments[$0] }.map(EventEntry.Fact.adjustment)
                ?? row.id(of: "revaluation").flatMap { revaluations[$0] }.map(EventEntry.Fact.revaluation)
        case .settlement:
            row.settlementLineID.flatMap { settlementLines[$0] }.flatMap { line in
                purchase(of: row).map { .settlement(line, $0) }
            }
        case nil: nil
        }
    }

    private func purchase(of row: EventRow) -> Purchase? { row.id(of: "purchase").flatMap { purchases[$0] } }
}

extension EventFacts.Reversal {
    /// The reversal without its lots.
    fileprivate init(of other: EventFacts.Reversal) {
        self.init(
            redemptionID: other.redemptionID, provider: other.provider, coins: other.coins, amount: other.amount,
            lots: EventLots(count: other.lots.count))
    }
}
