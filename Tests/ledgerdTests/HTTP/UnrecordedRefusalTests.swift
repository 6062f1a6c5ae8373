import Foundation
import LedgerWire
import Testing

@testable import Ledger
@testable import LedgerServer

/// What follows from refusals, and which are not recorded under their key, as docs/api.md tells; `LEDGERD_UPDATE_DOCS=1`
/// writes it anew.
@Suite(.timeLimit(.minutes(20))) struct UnrecordedRefusalTests {
    @Test func `docs api md names every refusal that is not recorded under its key`() throws {
        let codes = Set(try Self.everyRefusal().filter { !$0.isDefinite }.map { Problem.Code($0) })
        #expect(codes.contains(.refundNotPaid) && codes.contains(.refundInProgress))
        let rows = Problem.Code.known.filter(codes.contains).map { "| `\($0.rawValue)` | \($0.title) |\n" }
        #expect(rows.count == codes.count)
        let table = "| code | title |\n|---|---|\n" + rows.joined()
        let block = GeneratedBlock(page: "docs/api.md", name: "refusals that are not recorded")
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `every refusal is a problem of the code that it names, or is stored with what it refuses`() throws {
        for refusal in try Self.everyRefusal() {
            let (row, problem) = (refusal.row, Problem(refusal))
            #expect(Problem.Code(refusal) == problem.code && problem.code.status >= 400, "\(refusal)")
            #expect(problem.code.rawValue == row.code ?? "internal", "\(refusal)")
            #expect(problem.members.map(\.name) == row.members.map(\.name), "\(refusal)")
        }
    }

    /// What callers get for each refusal, written down by hand: it is compared with the declarations, and not read from them.
    private static let promised: [String: (code: String, status: Int)] = [
        "paymentBelongsToAnotherUser": ("receipt_belongs_to_another_user", 409),
        "merchantUIDAlreadyCredited": ("merchant_uid_already_credited", 409),
        "paymentHasAnotherMerchantUID": ("merchant_uid_mismatch", 422),
        "idempotencyKeyReused": ("idempotency_key_reused", 422),
        "noSuchPurchase": ("not_found", 404),
        "insufficientCoins": ("insufficient_coins", 402),
        "alreadyExpired": ("already_expired", 422),
        "giftToOneself": ("gift_to_oneself", 422),
        "unknownReceiver": ("unknown_receiver", 422),
        "exceedsGiveable": ("exceeds_giveable", 422),
        "giftLimitExceeded": ("gift_limit_exceeded", 422),
        "noSuchHold": ("not_found", 404),
        "holdClosed": ("hold_closed", 409),
        "holdExpired": ("hold_expired", 409),
        "exceedsHold": ("exceeds_hold", 422),
        "noSuchRefund": ("not_found", 404),
        "refundNotApproved": ("refund_not_approved", 422),
        "refundNotPaid": ("refund_not_paid", 422),
        "noSuchGrant": ("not_found", 404),
        "exceedsGrant": ("exceeds_grant", 422),
        "noSuchCampaign": ("not_found", 404),
        "campaignClosed": ("campaign_closed", 409),
        "exceedsDebt": ("exceeds_debt", 422),
        "nothingToRefund": ("nothing_to_refund", 422),
        "exceedsRefundable": ("exceeds_refundable", 422),
        "noSuchRedemption": ("not_found", 404),
        "alreadyReversed": ("already_reversed", 422),
        "noSuchRedemptionOf": ("not_found", 404),
        "redemptionAlreadyReversed": ("already_reversed", 422),
        "redemptionOfOtherPurchase": ("spend_of_other_purchase", 422),
        "purchaseDisputed": ("purchase_disputed", 409),
        "exceedsRedemption": ("exceeds_redemption", 422),
        "noPlaceForCoins": ("no_place_for_coins", 409),
        "noSuchDispute": ("not_found", 404),
        "disputeDecided": ("dispute_decided", 409),
        "disputeNotReversible": ("dispute_not_reversible", 409),
        "tooManyLots": ("too_many_lots", 422),
        "accountFull": ("invalid_request", 400),
        "userForgotten": ("invalid_request", 400),
        "refundInProgress": ("refund_in_progress", 409),
        "refundInForeignCurrency": ("refund_in_foreign_currency", 409),
        "changedMeanwhile": ("changed_meanwhile", 409),
        "exceedsOwnLimit": ("exceeds_own_limit", 409),
        "userInDebt": ("user_in_debt", 422),
        "userMerged": ("user_merged", 409),
        "receiverMerged": ("user_merged", 409),
        "mergeIntoItself": ("invalid_request", 400),
        "unknownUser": ("user_unknown", 422),
        "userExists": ("user_exists", 422),
        "topUpInProgress": ("top_up_in_progress", 409),
        "tooManyRecords": ("too_many_records", 422),
        "forgettingWaits": ("forgetting_waiting", 409),
        "exceedsClaim": ("exceeds_claim", 422),
        "noSuchPayout": ("not_found", 404),
        "payoutNotApproved": ("payout_status_conflict", 409),
        "implausiblePaymentDate": ("payment_date_implausible", 422),
        "monthNotOver": ("period_not_over", 422),
        "monthClosed": ("period_already_closed", 409),
        "monthAdjusted": ("month_adjusted", 409),
        "noAccountingPolicy": ("no_accounting_policy", 422),
        "policyChanged": ("policy_changed", 409),
        // Stored with the settlement line that they refuse: no caller gets them.
        "alreadySettled": ("internal", 500),
        "settledOtherwise": ("internal", 500),
        "exceedsPayment": ("internal", 500),
        "settledInForeignCurrency": ("internal", 500),
        "implausiblePayout": ("internal", 500),
    ]

    @Test func `callers get the code and the status of each refusal that they were promised`() throws {
        var told: Set<String> = []
        for refusal in try Self.everyRefusal() {
            let name = String("\(refusal)".prefix { $0 != "(" })
            let promised = try #require(Self.promised[name], "\(name) is not in the table")
            let code = Problem(refusal).code
            #expect(code.rawValue == promised.code && code.status == promised.status, "\(refusal): \(code)")
            told.insert(name)
        }
        #expect(told == Set(Self.promised.keys), "every row of the table is a refusal")
    }

    @Test func `the document describes each member that the problem of a refusal has`() throws {
        let document = try JSONSerialization.jsonObject(with: Data(APIDocument.json)) as? [String: Any]
        let schemas = (document?["components"] as? [String: Any])?["schemas"] as? [String: Any]
        let described = try #require((schemas?["Problem"] as? [String: Any])?["properties"] as? [String: Any])
        for refusal in try Self.everyRefusal() {
            for member in Problem(refusal).members {
                #expect(described[member.name] != nil, "\(member.name) of \(refusal)")
            }
        }
    }

    @Test func `no two codes of refusals have one name`() {
        let codes = Problem.Code.known + [Problem.Code.changedMeanwhile, .exceedsOwnLimit]
        #expect(Set(codes.map(\.rawValue)).count == codes.count)
    }

    @Test func `the refusal of an adjusted month names it, and one that was recorded without it can be read`() throws {
        let problem = Problem(Refusal.monthAdjusted(last: "2026-03"))
        #expect(problem.detail == "2026-03 is adjusted" && problem.members.map(\.name) == ["month"])
        let stored = try JSONDecoder().decode(Refusal.self, from: Data(#"{"monthAdjusted":{}}"#.utf8))
        #expect(stored == .monthAdjusted(last: nil) && Problem(stored).detail == nil)
    }

    @Test func `a refusal of more than there is says how much there is`() throws {
        let problem = Problem(Refusal.exceedsDebt(required: 7, available: 5))
        #expect(problem.code == .exceedsDebt && problem.detail == "the request has 7 coins, but the user owes 5")
        #expect(problem.members.map(\.name) == ["required", "available"])
        let closed = Problem(Refusal.monthClosed(until: Date(timeIntervalSince1970: 0)))
        #expect(closed.code == .periodAlreadyClosed && closed.members.map(\.name) == ["closed_until"])
        #expect(Problem(Refusal.changedMeanwhile).code.rawValue == "changed_meanwhile")
        #expect(Problem(Refusal.settledOtherwise).code == .internal)
    }

    /// A refusal of each case as it is declared, and of each status that a case can have: read as if it were stored.
    private static func everyRefusal() throws -> [Refusal] {
        let file = GeneratedBlock.root.appending(path: "Sources/Ledger/Acts/Refusal.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let declaration = try #require(source.firstMatch(of: /package enum Refusal: .*?\n}/.dotMatchesNewlines()))
            .output
        return try declaration.matches(of: /\n    case (\w+)(?:\((.*)\))?/).flatMap { match in
            let refusals = stored(String(match.1), members: match.2.map(String.init) ?? "").compactMap { text in
                try? JSONDecoder().decode(Refusal.self, from: Data(text.utf8))
            }
            try #require(!refusals.isEmpty, "no refusal \(match.1) can be read: are its members of another type?")
            return refusals
        }
    }

    /// A case as it is stored, once for each status.
    private static func stored(_ name: String, members: String) -> [String] {
        statuses.map { status in
            let values = members.split(separator: ", ").enumerated().map { place, member in
                let words = member.split(separator: ": ")
                let label = words.count > 1 ? String(words[0]) : "_\(place)"
                let isNumber = words.last == "Int64" || words.last == "Date"
                return "\"\(label)\": \(isNumber ? "1" : "\"\(status)\"")"
            }
            return "{\"\(name)\": {\(values.joined(separator: ", "))}}"
        }
    }

    private static let statuses: Set<String> = Set(
        Hold.Status.allCases.map(\.rawValue) + Dispute.Status.allCases.map(\.rawValue)
            + Payout.Status.allCases.map(\.rawValue) + [SettlementFault.feeExceedsGross.rawValue]
            + [Refund.Status.pending, .completed, .refused, .approved, .reversed].map(\.rawValue))
}
