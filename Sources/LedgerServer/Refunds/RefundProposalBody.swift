import Foundation
import Ledger
import LedgerWire
import WireFormats

/// A refund that waits for a second person, as a command prints it.
struct RefundProposalBody: ListedBody {
    static let listName = "proposals"

    let id: Int64
    /// `waiting`, or `approved` and not carried out yet.
    let status: String
    /// What is proposed, such as `refund`.
    let act: String
    /// What it is done to, such as `purchase:7` or `finding:3`.
    let target: String
    let purchaseID: Int64?
    /// The customer; nil: nobody knows whose the payment of a finding is.
    let user: String?
    /// The paid coins that are given back.
    let coins: Int64?
    /// What the proposer saw that the payer gets, in minor units.
    let amount: Int64?
    let currency: String?
    /// The same of a payment in a foreign currency; nil: it was paid in won.
    let foreign: RefundBody.Foreign?
    let proposedBy: String
    let proposedAt: Date
    let reason: String

    enum CodingKeys: String, CodingKey {
        case id, status, act, target, user, coins, amount, currency, foreign, reason
        case purchaseID = "purchase_id"
        case proposedBy = "proposed_by"
        case proposedAt = "proposed_at"
    }
}

extension RefundProposalBody {
    init(_ approval: Approval) {
        let (parameters, seen) = (approval.storedParameters, approval.storedSeen)
        self.init(
            id: approval.id, status: approval.status.rawValue, act: approval.act, target: approval.target,
            purchaseID: parameters?["purchase"]?.integer,
            user: approval.user?.rawValue, coins: parameters?["coins"]?.integer, amount: seen?["amount"]?.integer,
            currency: seen?["currency"]?.text, foreign: seen.flatMap(RefundBody.Foreign.init(seen:)),
            proposedBy: approval.proposedName, proposedAt: approval.proposedAt, reason: approval.reason)
    }

    static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .text("ACT"), .text("WHAT"), .text("USER"), .number("COINS"), .number("AMOUNT"),
        .text("PROPOSED BY"), .text("PROPOSED"), .text("REASON"),
    ]

    var row: [TextTable.Cell] {
        [
            .init(id), .init(status), .init(act), .init(target), .init(user ?? "-"),
            .init(coins.map { "\($0)" } ?? "-"), .init(amountText),
            .init(proposedBy), .init(proposedAt), .init(reason),
        ]
    }

    private var amountText: String {
        amount.map { RefundRow.text($0, currency ?? "", foreign.map { ($0.amount, $0.currency) }) } ?? "-"
    }
}

extension RefundBody.Foreign {
    /// What a person saw of a refund; nil: its payment was in won.
    fileprivate init?(seen: [String: JSON]) {
        guard let amount = seen["foreign_amount"]?.integer, let fee = seen["foreign_fee"]?.integer,
            let currency = seen["foreign_currency"]?.text
        else { return nil }
        self.init(amount: amount, fee: fee, currency: currency)
    }
}
