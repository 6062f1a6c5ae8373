package import Ledger
package import WireFormats

/// Takes back coins of a grant, named by its journal entry.
package struct GrantVoidOrder: PersonOrder {
    package static let act = AuditAct.voidGrant

    package let grant: Int64
    /// The coins to void.
    package let coins: Coins
    /// Whether they are all that can be voided, and what comes back later is voided, too.
    package let isWhole: Bool

    package init(grant: Int64, coins: Coins, isWhole: Bool) {
        self.grant = grant
        self.coins = coins
        self.isWhole = isWhole
    }

    package var parameters: [String: JSON] {
        ["grant": .integer(grant), "coins": .integer(coins.count), "whole": .bool(isWhole)]
    }

    package func target(of _: UserID?) -> String { "entry:\(grant)" }

    package static let decisive = ["available"]

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        guard let found = try await desk.desks.ledger.lots.voidable(grant), found.lot.user == user else { return nil }
        return try await desk.seen(of: found)
    }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let voided = try await terms.desks.grants.void(
            grant, of: terms.user, isWhole ? nil : coins, because: terms.reason,
            terms: terms.decision.voidTerms(terms.limits.grant, whole: isWhole ? coins : nil), under: terms.key
        ).success
        return [
            "journal_entry": .integer(voided.journalEntryID), "coins": .integer(voided.coins),
            "left": .integer(voided.left), "grant_held": .integer(voided.held),
        ]
    }
}

extension GrantVoidOrder {
    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let grant = stored["grant"]?.integer, let coins = stored.coins else { return nil }
        self.init(grant: grant, coins: coins, isWhole: stored["whole"] == .bool(true))
    }
}
