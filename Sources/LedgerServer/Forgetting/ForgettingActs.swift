package import Ledger
package import LedgerWire

/// What is done about users who are to be forgotten, at every door.
package struct ForgettingActs: Sendable {
    let ledger: Ledger
    let rules: ForgettingRules

    /// The request of the user that waits, or else the last one; nil: there is none.
    package func find(of user: UserID) async throws -> ForgettingBody? {
        guard let found = try await ledger.forgettings.find(of: user) else { return nil }
        return try await body(of: found)
    }

    /// The request with this id; nil: there is none.
    package func find(_ id: Int64) async throws -> ForgettingBody? {
        guard let found = try await ledger.forgettings.find(id) else { return nil }
        return try await body(of: found)
    }

    /// Asks that the user is forgotten; a repeat changes nothing.
    ///
    /// - Throws: `forgetting_off`; `invalid_request` for a user who was forgotten.
    package func ask(of user: UserID, because reason: String, by caller: String) async throws -> ForgettingBody {
        guard rules.key != nil else { throw Problem(.forgettingOff) }
        guard !user.isForgotten else { throw Problem(.invalidRequest, "the user was forgotten") }
        try await ledger.forgettings.ask(of: user, after: rules.wait, because: reason, by: caller)
        return try await present(of: user)
    }

    /// Ends the request that waits; a repeat changes nothing.
    ///
    /// - Throws: `not_found`: nobody asked, or the user is forgotten.
    package func cancel(of user: UserID, by caller: String) async throws -> ForgettingBody {
        _ = try await ledger.forgettings.cancel(of: user, by: caller)
        return try await present(of: user)
    }

    private func present(of user: UserID) async throws -> ForgettingBody {
        guard let found = try await find(of: user) else {
            throw Problem(.notFound, "nobody asked to forget the user")
        }
        return found
    }

    private func body(of found: Forgetting) async throws -> ForgettingBody {
        let open = found.status == .waiting ? try await ledger.forgettings.open(of: found.user) : []
        return ForgettingBody(
            id: found.id, user: found.user.rawValue, status: found.status.rawValue, open: open, askedBy: found.askedBy,
            askedAt: found.askedAt, dueAt: found.dueAt, cancelledBy: found.cancelledBy, decidedAt: found.decidedAt,
            keptUntil: found.keptUntil)
    }
}
