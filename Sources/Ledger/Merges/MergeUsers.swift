package import Foundation
import Postgres

/// Merges a user into another one: all that the former has becomes the other's, and the former id refers to the other from
/// then on.
///
/// ```
/// Dr wallet:<former>:paid (or :bonus), held:<former>:…  coins / Cr debt:<former>            debt
///                                                             / Cr clearing:coins           coins - debt
/// Dr debt:<user>                                        debt  / Cr wallet:<user>:…, held:…  coins
/// Dr clearing:coins                             coins - debt
/// ```
/// Two entries, because the users may be of two stripes. Lots move as they are, with purchases, holds, refunds and all else
/// that names its user (schema/judges/merges.sql, docs/decisions/0205). A rename is a merge into an id that nobody has.
///
/// There is no way back.
package struct MergeUsers: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let former: UserID
    /// The user that both are from then on.
    package let user: UserID
    /// Whether ``user`` is a new id, and not somebody's.
    package let isRename: Bool
    package let reason: String
    /// The most coins and owed coins that the two may have together, because one person decided; nil: no limit.
    ///
    /// Whoever has the former id has the other's coins from then on.
    ///
    /// It is not part of the ``fingerprint``.
    package let most: Int64?

    package init(
        idempotencyKey: CallerKey, _ former: UserID, into user: UserID, isRename: Bool, reason: String,
        most: Int64? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.former = former
        self.user = user
        self.isRename = isRename
        self.reason = reason
        self.most = most
    }
}

/// The result of a merge.
package struct UsersMerged: Sendable, Equatable, Codable {
    /// The entry that moved coins and debts into the user's accounts; nil: there were none.
    package let journalEntryID: Int64?
    /// The entry that moved them out of the former user's.
    package let sentEntryID: Int64?
    package let former: UserID
    package let isRename: Bool
    /// The coins that moved, in the wallet and on hold.
    package let coins: Int64
    /// The owed coins that moved.
    package let debt: Int64
    package let mergedAt: Date
    package let reason: String
    /// The user's balance after the act.
    package private(set) var balance: Balance

    /// The same with the balance after a further act.
    package func with(_ balance: Balance) -> UsersMerged {
        var merged = self
        merged.balance = balance
        return merged
    }
}

// MARK: - Planning

extension MergeUsers {
    package var touches: Touches { Touches(systemAccounts: [.clearingCoins], former: former) }
    package var isAlone: Bool { true }

    package func plan(on books: inout Plan) -> Answer<UsersMerged> { books.mergeUsers(self) }
}

extension Plan {
    fileprivate mutating func mergeUsers(_ act: MergeUsers) -> Answer<UsersMerged> {
        if let refusal = merges.refusal(of: act) { return .refused(refusal) }
        let before = balance(of: act.former)
        let required = [before, balance(of: act.user)].reduce(0) { $0 + $1.total + $1.debt }
        if let most = act.most, required > most {
            return .refused(.exceedsOwnLimit(required: required, available: most))
        }
        if let refusal = lotLimits.refusal(of: merges.lots(of: act)) { return .refused(refusal) }
        let entries = moveAccounts(of: act)
        let merge = UserMerge(
            former: act.former, formerStripe: stripe(of: act.former), user: act.user, stripe: stripe(of: act.user),
            isRename: act.isRename, coins: before.total, debt: before.debt, sentEntryID: entries?.sent,
            receivedEntryID: entries?.received, mergedAt: recordedAt, mergedBy: act.idempotencyKey.caller,
            reason: act.reason)
        merges.insert(merge)
        return .done(
            UsersMerged(
                journalEntryID: merge.receivedEntryID, sentEntryID: merge.sentEntryID, former: act.former,
                isRename: act.isRename, coins: merge.coins, debt: merge.debt, mergedAt: recordedAt,
                reason: act.reason, balance: balance(of: act.user)))
    }

    /// Moves what is on the former user's accounts to the other's; nil: there is nothing.
    private mutating func moveAccounts(of act: MergeUsers) -> (sent: Int64, received: Int64)? {
        let balances = UserAccount.allCases.map { account in
            (account: account, coins: journal.accounts.coins(on: account, of: act.former))
        }.filter { $0.coins > 0 }
        guard !balances.isEmpty else { return nil }
        let sent = balances.map { account, coins in
            Line(account: open(account, of: act.former), side: account.normalSide.opposite, amount: coins)
        }
        let received = balances.map { account, coins in
            Line(account: open(account, of: act.user), side: account.normalSide, amount: coins)
        }
        return (
            postMerge(sent, of: act, in: stripe(of: act.former)),
            postMerge(received, of: act, in: stripe(of: act.user))
        )
    }

    /// Posts these lines, with the clearing account on the other side.
    private mutating func postMerge(_ lines: [Line], of act: MergeUsers, in stripe: Stripe) -> Int64 {
        let debited = lines.reduce(0) { $0 + ($1.side == .debit ? $1.amount : -$1.amount) }
        let clearing = Line(
            account: .system(.clearingCoins, stripe), side: debited > 0 ? .credit : .debit, amount: abs(debited))
        return post(
            .merge, reference: "merge:\(act.former.rawValue)", reason: act.reason, effectiveAt: recordedAt,
            in: stripe, lines + [clearing])
    }
}

// MARK: - How it is recorded under its key

extension MergeUsers {
    package static let name = "merge"
    package static let successName = "usersMerged"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, former.rawValue, user.rawValue, String(isRename), reason)
    }

    package static func journalEntryID(of success: UsersMerged) -> Int64? { success.journalEntryID }
}
