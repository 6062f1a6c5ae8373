import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Ledger

/// What is stored under idempotency keys for ever: fingerprints and outcomes of every act.
///
/// ``StoredOutcomeTests`` has outcomes as earlier versions stored them.
@Suite(.timeLimit(.minutes(20))) struct GoldenActsTests {
    /// Values of the enumerations in outcomes and refusals, and a foreign currency.
    private static let words = [
        "open", "paid", "pending", "credited", "agent", "percentage", "paid_out_in_future", "USD",
    ]

    @Test func `every act has the fingerprint that it always had`() throws {
        let acts = try Self.acts()
        let declared = try Self.source("").flatMap {
            $0.matches(of: /struct (\w+): (?:UserAct, )?KeyedAct\b/).map { String($0.1) }
        }
        #expect(Set(acts.map { "\(type(of: $0))" }) == Set(declared) && declared.count > 10)
        try Golden.expect(acts.map { "\(type(of: $0).name) \($0.fingerprint.text)" }, in: "fingerprints.txt")
    }

    @Test func `every outcome is stored as it always was`() throws {
        var lines: [String] = []
        var known: Set<String> = []
        for act in try Self.acts() where known.insert(type(of: act).name).inserted {
            lines += try Self.successes(of: act)
        }
        for refusal in try Self.refusals() { lines.append(try Self.stored(Spend.self, .refused(refusal))) }
        try Golden.expect(lines, in: "outcomes.txt")
    }

    /// With all members, and with none that may be missing.
    private static func successes<A: KeyedAct>(of _: A) throws -> [String] {
        let texts = try [9, 0].map { try stored(A.self, .done(try Sampler.make(levels: $0, words: words))) }
        return (texts[0] == texts[1] ? [texts[0]] : texts).map { "\(A.name) \($0)" }
    }

    private static func stored<A: KeyedAct>(_: A.Type, _ outcome: Outcome<A.Success>) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(StoredOutcome<A>(outcome: outcome))
        #expect(try JSONDecoder().decode(StoredOutcome<A>.self, from: data).outcome == outcome)
        return String(decoding: data, as: UTF8.self)
    }

    /// One of each case that is declared.
    private static func refusals() throws -> [Refusal] {
        let declaration = try #require(try source("Acts/Refusal.swift").first?.prefix { $0 != "}" })
        return try declaration.matches(of: /(?m)^ {4}case (\w+)/).map {
            try Sampler.make(levels: 0, words: words, key: String($0.1))
        }
    }

    /// The text of Ledger's sources, or of one of them.
    private static func source(_ path: String) throws -> [String] {
        let folder = Golden.root.appending(path: "Sources/Ledger")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(path) }
        return try files.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    /// Of each act the least that can be asked for and, if that is not all, the most.
    private static func acts() throws -> [any KeyedAct] {
        let (ann, key, at): (UserID, CallerKey, Date) = (.named("ann"), .named("key"), Sampler.moment)
        let five = sure(Coins(5))
        let refund: Refund = try Sampler.make(levels: 0, words: words)
        let spent = Redemption(id: 7, act: .spend, user: ann, provider: nil, left: [])
        let lot = Lot.issued(
            id: 8, stripe: .first, user: ann, kind: .bonus, coins: 9, amount: 0, acquiredAt: at, expiresAt: nil,
            purchaseID: nil, journalEntryID: 7)
        let account = BankAccount(bank: "004", number: "123", holder: "Kim", phone: "010")
        return [
            Spend.sample(coins: 5), Spend(idempotencyKey: key, user: ann, coins: five, reference: "a", reason: "b"),
            Grant.sample(),
            Grant(idempotencyKey: key, user: ann, coins: five, reason: "a", issuer: "b", expiresAt: at),
            PlaceHold.sample(coins: 5),
            PlaceHold(idempotencyKey: key, user: ann, coins: five, timeout: 60, reference: "a", reason: "b"),
            CaptureHold.sample(of: 7), CaptureHold.sample(of: 7, coins: 5, provider: "zoe", isFinal: true),
            CaptureHold.sample(of: 7, coins: 5, provider: "zoe", item: "song", isFinal: true),
            VoidHold.sample(of: 7), VoidHold(idempotencyKey: key, user: ann, holdID: 7, reason: "a"),
            ReverseRedemption.sample(of: spent), ReverseRedemption.sample(of: spent, coins: 5),
            BeginRefund.sample(of: 7), BeginRefund.sample(of: 7, coins: 5, account: account),
            BeginRefund(
                idempotencyKey: key, user: ann, purchaseID: 7, coins: five, explanation: "a", method: .bankTransfer,
                account: account, feeWaiver: "b"),
            TakeBackAndRefund.sample(
                of: [spent], and: try Sampler.make(levels: 0, words: words) as Purchase),
            PayRefund.sample(of: refund, at: at), ReverseRefund.sample(of: refund),
            RepayRefund.sample(of: refund, at: at),
            PayDebtByBank.sample(at: at), PayDebtByBank.sample(coins: 5, at: at),
            WriteOffDebt.sample(), WriteOffDebt.sample(coins: 5),
            VoidGrant.sample(of: lot), VoidGrant.sample(of: lot, coins: 5),
            Gift.sample(coins: 5), Gift.sample(coins: 5, reason: "a"),
            MergeUsers.sample(), MergeUsers.sample(isRename: true),
            DecideDispute.sample(on: try Sampler.make(levels: 0, words: words) as Dispute, isWon: true),
            DecideDispute.sample(on: try Sampler.make(levels: 0, words: words) as Dispute, isWon: false),
            RepayClaim(
                idempotencyKey: key, provider: .named("zoe"), amount: sure(Price(won: 5)), paidAt: at,
                bankReference: "a"),
            PayPayout(idempotencyKey: key, payoutID: 7, paidAt: at, bankReference: "a", parts: []),
            BookAdjustment(
                idempotencyKey: key, subject: .breakage, month: .named("2024-02"), endsAt: at,
                policies: PoliciesInForce(breakage: nil, bonus: nil), cohorts: [], basisID: 7),
            BookRevaluation(
                idempotencyKey: key, currency: sure(try? ForeignCurrency("USD")), month: .named("2024-02"),
                zone: .gmt, measuredFrom: 7),
        ]
    }
}
