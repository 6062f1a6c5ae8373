import CivilTime
import Foundation
import LedgerWire
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// How events are written, without a database.
///
/// What the books tell of each event is compared by `EventsTests`, and the members of each body by ``GoldenBodiesTests``.
@Suite(.timeLimit(.minutes(20))) struct GoldenEventsTests {
    @Test func `every type of event, and all that an entry can be about, has the same body as before`() throws {
        let detail = String(decoding: try JSONSerialization.data(withJSONObject: Self.stored()), as: UTF8.self)
        var lines = try EventType.all.map { type in
            let reported = try Self.data(of: type, .occurrence(Occurrence(subject: "subject", detail: detail)))
            return "\(type.rawValue): \(reported == "{}" ? "a journal entry" : reported)"
        }
        for fact in try Self.facts() {
            let name = sure(Mirror(reflecting: fact).children.first?.label)
            lines.append("about a \(name): \(try Self.data(of: .coinsSpent, .entry(Self.entry(fact))))")
        }
        lines.append("about nothing: \(try Self.data(of: .coinsSpent, .entry(Self.entry(nil))))")
        try Golden.expect(lines, in: "events.txt")
    }

    /// All members that stored occurrences have.
    private static func stored() throws -> [String: Any] {
        let counts = try JSONEncoder().encode(Sampler.make(ReconciliationCounts.self, levels: 9))
        let seal = """
            ledgerd-seal 1
            sealed-at 2024-03-01T01:20:00Z
            entries 5
            head \(String(repeating: "0f", count: 32))

            """
        var members: [String: Any] = [
            "kinds": ["kinds"], "new_user": true, "counts": try JSONSerialization.jsonObject(with: counts),
            "statement": seal,
        ]
        for name in [
            "id", "amount", "providers", "withheld", "endpoint_id", "purchase_id", "opened_at", "decided_at", "from",
            "to", "until", "expires_at", "cut_off", "paid_at", "threshold", "before", "available", "journal_entry_id",
            "hour", "measured", "limit", "monthly_limit", "charge_id", "coins", "debt", "budget", "users", "given",
            "voided",
        ] {
            members[name] = try Sampler.make([String: Int64].self, levels: 9, key: name)[name]
        }
        for name in [
            "gateway", "imp_uid", "merchant_uid", "payment_id", "product", "currency", "reason", "failure", "closed_by",
            "by", "bank_reference", "url", "outcome", "decided_by", "name", "status", "former_id", "merged_by",
        ] {
            members[name] = name
        }
        return members
    }

    private static func data(of type: EventType, _ content: Event.Content) throws -> String {
        let event = Event(seq: 1, type: type, user: nil, recordedAt: Sampler.moment, content: content)
        return String(decoding: try WireJSON.makeEncoder().encode(EventBody(event).data), as: UTF8.self)
    }

    /// An entry of nobody's coins, of whose many lots the event has one.
    private static func entry(_ fact: EventEntry.Fact?) -> EventEntry {
        EventEntry(
            id: 1, effectiveAt: Sampler.moment, reason: "reason", reference: "reference", change: nil, balance: nil,
            lots: [LotUse(lotID: 2, kind: .paid, coins: 3, amount: 4)], lotCount: 1001, fact: fact)
    }

    /// One of each kind, with all that it can have.
    private static func facts() throws -> [EventEntry.Fact] {
        func sample<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
            try Sampler.make(levels: 9, words: ["open", "paid", "pending", "credited", "percentage", "USD"])
        }
        let (purchase, at): (Purchase, Date) = (try sample(), Sampler.moment)
        let decision = EventEntry.Decision(
            refusal: "refusal", gatewayCode: "code", cancellationID: "cancellation", paidAt: at, bankReference: "bank",
            repaidAt: at, repaymentReference: "repayment")
        let user = sure(UserID(rawValue: "ann"))
        let lot = Lot.issued(
            id: 1, stripe: .first, user: user, kind: .bonus, coins: 2, amount: 3, acquiredAt: at, expiresAt: at,
            purchaseID: 4, issuer: "issuer", journalEntryID: 5)
        let adjustment = Adjustment(
            id: 1, subject: .breakage, month: sure(CivilMonth("2024-02")), target: 2, amount: 3, journalEntryID: 4,
            policyID: 5, adjustedBy: "kim", recordedAt: at)
        let revaluation = Revaluation(
            id: 1, currency: sure(try? ForeignCurrency("USD")), month: sure(CivilMonth("2024-02")),
            basis: RevaluationBasis(
                id: 2, rateID: 3, rateDay: sure(CivilDate("2024-02-29")), quotation: sure(Quotation("1400", per: 1)),
                open: 99, carried: 1374, worth: 1386, measuredAt: at),
            journalEntryID: 4, reversalEntryID: 5, revaluedBy: "kim", recordedAt: at)
        let row = SettlementLineDraft(
            number: 1, payment: "imp_1", gross: 1000, fee: 30, tax: 3, net: 967, paidOutOn: "2024-03-01", paidOutAt: at)
        let line = SettlementLine(
            id: 1, fileID: 2, draft: row, status: .settled, reason: nil, purchaseID: 3, journalEntryID: 4,
            settledAt: at, dismissal: nil)
        return [
            .purchase(purchase), .clawBack(purchase, amount: 1, foreignAmount: 4, coins: 2, bonusCoins: 3),
            .hold(try sample(), coins: 1, provider: "zoe"), .refund(try sample(), purchase, decision),
            .debtPayment(coins: 1, amount: 2, paidAt: at, bankReference: "bank"), .lot(lot),
            .gift(1, from: user, to: user, purchaseID: 2),
            .reversal(of: 1, provider: "zoe", coins: 2, amount: 3),
            .payout(1, provider: "zoe", amount: 2, withheld: 3),
            .repayment(provider: "zoe", amount: 1, paidAt: at, bankReference: "bank"), .adjustment(adjustment),
            .revaluation(revaluation),
            .settlement(line, purchase),
        ]
    }
}
