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

    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let grant = stored["grant"]?.integer, let coins = stored.coins else { return nil }
        self.init(grant: grant, coins: coins, isWhole: stored["whole"] == .bool(true))
    }
}

extension PersonDecision {
    /// What must hold of a void of a grant: also one person voids only what they saw.
    ///
    /// - Parameters:
    ///   - limit: what one person can void of the grant alone.
    ///   - whole: the coins of a void of all: it takes no other number of them.
    func voidTerms(_ limit: Int64, whole: Coins?) -> VoidTerms {
        VoidTerms(available: whole?.count ?? seen["available"]?.integer, mostInAll: own(limit))
    }
}

extension ApprovalDesk {
    /// What is left of a grant.
    package func seen(of grant: VoidableGrant) async throws -> [String: JSON] {
        try await seen(of: grant.lot.user).merging([
            "available": .integer(grant.available), "granted": .integer(grant.lot.coins),
            "grant_held": .integer(grant.lot.held), "voided_before": .integer(grant.voided),
        ]) { $1 }
    }

    /// Whether a void is above what one person can do alone, with what was voided of the grant before.
    package func needsSecondPerson(_ coins: Int64, of grant: VoidableGrant) -> Bool {
        grant.voided + coins > limits.grant
    }
}

extension TerminalDesk {
    /// What of a grant can be voided now.
    ///
    /// - Parameter coins: nil: all that can.
    /// - Returns: the grant, and whether a second person has to approve it.
    func quote(voiding coins: Coins?, ofGrant id: Int64) async throws -> (grant: VoidableGrant, needsApproval: Bool) {
        let grant = try await desk.desks.grants.find(id)
        return (grant, desk.needsSecondPerson(coins?.count ?? grant.available, of: grant))
    }

    /// Voids a grant, whole or in part, or proposes it to a second person above the limit.
    ///
    /// - Parameters:
    ///   - coins: nil: all that can be voided, and what comes back later.
    ///   - available: what the person saw that can be voided; if it is another number now, it is refused.
    ///   - name: tells this void from another of the same coins and reason.
    ///   - beside: the newest open proposal about the grant that the person has seen; nil: none.
    func void(
        _ coins: Coins?, ofGrant id: Int64, available: Int64, because reason: String, named name: String,
        beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let asked = coins.map { "\($0.count)" } ?? "all"
        let sender = try sender("void-grant", "\(id)", asked, "\(available)", reason, name)
        if let proposal = try await proposal(of: sender) { return proposal }
        let (grant, needsApproval) = try await quote(voiding: coins, ofGrant: id)
        if try await !desk.hasPerformed(under: sender.key) {
            guard available == grant.available else {
                throw Refused("\(grant.available) coins of the grant can be voided now: nothing was done")
            }
            if let refusal = grant.refusal(of: coins?.count ?? available) { throw RefusedAct(refusal) }
        }
        let order = GrantVoidOrder(
            grant: id, coins: try coins ?? Coins(ordered: available), isWhole: coins == nil)
        return try await perform(
            order, of: grant.lot.user, by: sender, because: reason, seen: try await desk.seen(of: grant),
            needsApproval: needsApproval, beside)
    }

    /// What became of a void, in one line.
    func line(ofGrant id: Int64, _ outcome: PersonOrderOutcome) async throws -> String {
        try await line(of: "the void of grant \(id)", outcome) { made in
            guard let coins = made["coins"]?.integer, let left = made["left"]?.integer,
                let held = made["grant_held"]?.integer
            else { return nil }
            return "\(coins) coins are voided: \(left) of the grant stay in the wallet, \(held) on hold"
        }
    }
}
