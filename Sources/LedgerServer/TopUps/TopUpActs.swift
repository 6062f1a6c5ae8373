package import Ledger
package import LedgerWire
package import PGVerifier

/// What is done about consents to automatic top-up, at every door.
package struct TopUpActs: Sendable {
    let ledger: Ledger
    let gateways: Gateways

    /// - Parameter gateways: those that charge; none are needed for what exists.
    package init(ledger: Ledger, gateways: Gateways = Gateways()) {
        self.ledger = ledger
        self.gateways = gateways
    }

    /// The most charges that are shown.
    static let mostShown = 10

    /// The user's consent in force, or else the last one, with the latest charges; nil: none.
    package func find(of user: UserID) async throws -> TopUpBody? {
        guard let topUp = try await ledger.topUps.find(of: user) else { return nil }
        return TopUpBody(topUp, try await ledger.topUps.charges(of: user, limit: Self.mostShown))
    }

    /// Stores a consent in place of the one in force.
    ///
    /// - Throws: `gateway_off`, `product_not_found`.
    func agree(to draft: TopUpDraft) async throws -> TopUpBody {
        let names = Gateways.thatCharge
        guard names.contains(draft.gateway) else {
            throw Problem.invalid(pointer: "/gateway", "/gateway must be \(names.joined(separator: " or "))")
        }
        guard gateways.charger(named: draft.gateway) != nil else {
            throw Problem(.gatewayOff, "\(draft.gateway) is not configured", members: ["pointer": "/gateway"])
        }
        guard try await ledger.products.list().contains(where: { $0.code == draft.product }) else {
            throw Problem(
                .productNotFound, "/product is not a product on sale; see GET /v1/products",
                members: ["pointer": "/product"])
        }
        try await ledger.topUps.agree(to: draft)
        return try await present(of: draft.user)
    }

    /// Ends the consent at once; a repeat changes nothing.
    ///
    /// - Throws: `not_found`: the user never agreed to one.
    package func revoke(of user: UserID, by caller: String) async throws -> TopUpBody {
        _ = try await ledger.topUps.revoke(of: user, by: caller)
        return try await present(of: user)
    }

    /// Pauses the consent; a repeat changes nothing.
    ///
    /// - Throws: `not_found`: none is in force.
    package func pause(of user: UserID, because reason: String, by caller: String) async throws -> TopUpBody {
        _ = try await ledger.topUps.pause(of: user, because: reason, by: caller)
        return try await inForce(of: user)
    }

    /// Resumes the consent; a repeat changes nothing.
    ///
    /// - Throws: `not_found`: none is in force.
    package func resume(of user: UserID, by caller: String) async throws -> TopUpBody {
        _ = try await ledger.topUps.resume(of: user, by: caller)
        return try await inForce(of: user)
    }

    private func inForce(of user: UserID) async throws -> TopUpBody {
        let topUp = try await present(of: user)
        guard topUp.endedAt == nil else { throw Problem(.notFound, "the user's consent to top-ups has ended") }
        return topUp
    }

    private func present(of user: UserID) async throws -> TopUpBody {
        // The act was the present user's, whoever was named.
        guard let topUp = try await find(of: try await ledger.merges.user(behind: user)) else {
            throw Problem(.notFound, "the user has not agreed to top-ups")
        }
        return topUp
    }
}

extension TopUpBody {
    init(_ topUp: TopUp, _ charges: [TopUpCharge]) {
        self.init(
            id: topUp.id, user: topUp.user.rawValue, status: topUp.status.rawValue, reason: topUp.reason,
            gateway: topUp.gateway, product: topUp.product, threshold: topUp.threshold,
            monthlyLimit: topUp.monthlyLimit, failures: topUp.failures, restsUntil: topUp.restsUntil,
            agreedAt: topUp.agreedAt, setBy: topUp.setBy, changedBy: topUp.changedBy, endedAt: topUp.endedAt,
            charges: charges.map(TopUpChargeBody.init))
    }
}

extension TopUpChargeBody {
    fileprivate init(_ charge: TopUpCharge) {
        self.init(
            id: charge.id, status: charge.status.rawValue, reason: charge.reason,
            journalEntryID: charge.journalEntryID, merchantUID: charge.merchantUID, amount: charge.amount,
            startedAt: charge.startedAt, decidedAt: charge.decidedAt, purchaseID: charge.purchaseID)
    }
}
