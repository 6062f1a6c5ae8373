package import Ledger
package import WireFormats

/// Merges a customer into another one, or gives a customer another id.
package struct MergeOrder: PersonOrder {
    package static let act = AuditAct.mergeUser

    /// The customer who is merged, by the id of then: what was merged meanwhile into another one is not merged on.
    package let former: UserID
    package let into: UserID
    /// Whether that id is new.
    package let isNewUser: Bool

    package init(_ former: UserID, into: UserID, isNewUser: Bool) {
        self.former = former
        self.into = into
        self.isNewUser = isNewUser
    }

    package var parameters: [String: JSON] {
        ["former": .string(former.rawValue), "into": .string(into.rawValue), "new_user": .bool(isNewUser)]
    }

    package func target(of _: UserID?) -> String { "user:\(former.rawValue)" }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let merged = try await terms.desks.merges.merge(
            former, into: into, isNewUser: isNewUser, because: terms.reason,
            most: terms.decision.own(terms.limits.grant), under: terms.key
        ).success
        var made: [String: JSON] = ["coins": .integer(merged.coins), "debt_moved": .integer(merged.debt)]
        if let entry = merged.journalEntryID { made["journal_entry"] = .integer(entry) }
        return made
    }

    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let former = stored["former"]?.text.flatMap(UserID.init(rawValue:)),
            let into = stored["into"]?.text.flatMap(UserID.init(rawValue:))
        else { return nil }
        self.init(former, into: into, isNewUser: stored["new_user"] == .bool(true))
    }
}

extension ApprovalDesk {
    /// Whether the two customers have more coins, with those that they owe, than one person can make one's alone.
    package func needsSecondPerson(merging balances: Balance...) -> Bool {
        balances.reduce(0) { $0 + $1.total + $1.debt } > limits.grant
    }
}

extension TerminalDesk {
    /// What a merge would move now, what the other one has, and whether a second person has to approve it.
    func quote(
        merging user: UserID, into other: UserID
    ) async throws -> (former: Balance, other: Balance, needsApproval: Bool) {
        let balances = desk.desks.ledger.balances
        let (former, other) = (try await balances.find(of: user), try await balances.find(of: other))
        return (former, other, desk.needsSecondPerson(merging: former, other))
    }

    /// Merges a user into another one, or proposes it to a second person above the limit.
    ///
    /// - Parameter beside: the newest open proposal about the user that the person has seen; nil: none.
    func merge(
        _ user: UserID, into other: UserID, isNewUser: Bool, because reason: String, beside: Int64? = nil
    ) async throws -> PersonOrderOutcome {
        let sender = try sender("merge-user", user.rawValue, other.rawValue, "\(isNewUser)", reason)
        if let proposal = try await proposal(of: sender) { return proposal }
        let needsApproval = try await quote(merging: user, into: other).needsApproval
        return try await perform(
            MergeOrder(user, into: other, isNewUser: isNewUser), of: user, by: sender, because: reason,
            seen: try await desk.seen(of: user), needsApproval: needsApproval, beside)
    }

    /// What became of a merge, in one line.
    func line(ofMerging user: UserID, into other: UserID, _ outcome: PersonOrderOutcome) async throws -> String {
        try await line(of: "the merge of \(user.rawValue)", outcome) { made in
            guard let coins = made["coins"]?.integer, let debt = made["debt_moved"]?.integer else { return nil }
            return "\(user.rawValue) is \(other.rawValue) now: \(coins) coins moved, and \(debt) that are owed"
        }
    }
}
