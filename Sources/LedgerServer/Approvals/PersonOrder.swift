package import Ledger
package import WireFormats

/// What a person asks for to be done to a customer's coins or money: the request of maker and checker (four-eyes principle), and
/// no purchase order.
///
/// Below a limit it is done at once. Above, it is stored with its parameters, as a proposal that a second person approves.
package protocol PersonOrder: Sendable {
    static var act: AuditAct { get }

    /// The numbers of the order, without the bank account.
    var parameters: [String: JSON] { get }
    /// The bank account of a refund, which is stored where it can be erased.
    var account: BankAccount? { get }

    /// The order of a stored proposal; nil for one that this version can't read, such as of no coins.
    init?(_ stored: JSON, account: BankAccount?)

    /// What it is done to.
    func target(of user: UserID?) -> String

    /// The members of what was seen whose change outdates a proposal: the act compares the same (``PersonDecision``).
    static var decisive: [String] { get }

    /// What a person would see of its object now; nil: there is no such object.
    func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]?

    /// Carries it out.
    ///
    /// - Returns: what was made, for the record.
    func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON]
}

extension PersonOrder {
    package var account: BankAccount? { nil }
    package static var decisive: [String] { [] }

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        try await desk.seen(of: user)
    }
}

/// Who ordered an act, of whom and why, and who decided about it.
package struct PersonOrderTerms: Sendable {
    let desk: ApprovalDesk
    /// The customer; nil: nobody knows whose the payment of a finding is.
    let customer: UserID?
    let reason: String
    let key: CallerKey
    /// The name of the person who ordered it.
    let issuer: String
    let decision: PersonDecision

    /// The customer of an act that is for one.
    ///
    /// - Throws: `not_found` for a proposal that was stored by hand without one.
    var user: UserID {
        get throws(Problem) {
            guard let customer else { throw Problem(.notFound) }
            return customer
        }
    }

    /// The acts of the features.
    var desks: Desks { desk.desks }
    /// What one person can do alone.
    var limits: ApprovalLimits { desk.limits }
}

/// The orders that can be proposed.
package enum PersonOrders {
    package static let all: [any PersonOrder.Type] = Features.all.flatMap { $0.personOrders }

    /// The order of a stored proposal; nil for one that this version can't read.
    package static func stored(in approval: Approval) -> (any PersonOrder)? {
        guard let stored = approval.storedParameters else { return nil }
        return all.first { $0.act.rawValue == approval.act }?.init(stored, account: approval.account)
    }
}

/// Refunds coins of a purchase.
package struct RefundOrder: PersonOrder {
    package static let act = AuditAct.refund

    package let purchase: Int64
    package let coins: Coins
    package let account: BankAccount?

    package init(purchase: Int64, coins: Coins, account: BankAccount?) {
        self.purchase = purchase
        self.coins = coins
        self.account = account
    }

    package var parameters: [String: JSON] { ["purchase": .integer(purchase), "coins": .integer(coins.count)] }

    package func target(of _: UserID?) -> String { "purchase:\(purchase)" }

    package static let decisive = ["amount", "foreign_amount", "refunded_before", "unused"]

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        guard let user, let purchase = try await desk.desks.ledger.purchases.find(purchase, of: user) else {
            return nil
        }
        return try await desk.seen(of: try await desk.desks.refunding.quote(for: coins, of: purchase))
    }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let purchase = try await terms.desks.ledger.purchases.require(self.purchase, of: terms.user)
        let asked = RefundActs.Request(
            purchase: purchase, coins: coins, reason: terms.reason, account: account,
            terms: terms.decision.refundTerms(terms.limits.refund(in: purchase.currency.code)))
        let refund = try await terms.desks.refunding.refund(asked, under: terms.key).success
        if refund.status == .refused { throw Problem.refundRefused(refund) }
        return [
            "refund": .integer(refund.id), "status": .string(refund.status.rawValue),
            "amount": .integer(refund.amount),
        ].merging(terms.desk.seen(of: refund.foreign)) { $1 }
    }

    package init?(_ stored: JSON, account: BankAccount?) {
        guard let purchase = stored["purchase"]?.integer, let coins = stored.coins else { return nil }
        self.init(purchase: purchase, coins: coins, account: account)
    }
}

/// Gives bonus coins.
package struct GrantOrder: PersonOrder {
    package static let act = AuditAct.grant

    package let coins: Coins

    package init(coins: Coins) { self.coins = coins }

    package var parameters: [String: JSON] { ["coins": .integer(coins.count)] }

    package func target(of user: UserID?) -> String { "user:\(user?.rawValue ?? "")" }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let granted = try await terms.desks.grants.grant(
            coins, to: terms.user, because: terms.reason, issuer: terms.issuer, under: terms.key
        ).success
        return ["lot": .integer(granted.lotID), "journal_entry": .integer(granted.journalEntryID)]
    }

    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let coins = stored.coins else { return nil }
        self.init(coins: coins)
    }
}

/// Forgives coins that the customer owes.
package struct WriteOffOrder: PersonOrder {
    package static let act = AuditAct.writeOff
    package static let decisive = ["debt"]

    package let coins: Coins

    package init(coins: Coins) { self.coins = coins }

    package var parameters: [String: JSON] { ["coins": .integer(coins.count)] }

    package func target(of user: UserID?) -> String { "user:\(user?.rawValue ?? "")" }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let writtenOff = try await terms.desks.debts.writeOff(
            coins, of: terms.user, because: terms.reason, owedBefore: terms.decision.owedBefore, under: terms.key
        ).success
        return ["journal_entry": .integer(writtenOff.journalEntryID)]
    }

    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let coins = stored.coins else { return nil }
        self.init(coins: coins)
    }
}

/// Takes back coins of a spend or capture, named by its journal entry.
package struct ReversalOrder: PersonOrder {
    package static let act = AuditAct.reverse

    package let redemption: Int64
    package let coins: Coins

    package init(redemption: Int64, coins: Coins) {
        self.redemption = redemption
        self.coins = coins
    }

    package var parameters: [String: JSON] { ["entry": .integer(redemption), "coins": .integer(coins.count)] }

    package func target(of _: UserID?) -> String { "entry:\(redemption)" }

    package static let decisive = ["left"]

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        guard let found = try await desk.desks.ledger.redemptions.find(redemption), found.user == user else {
            return nil
        }
        return try await desk.seen(of: found, fitting: try await desk.desks.ledger.redemptions.fitting(of: found))
    }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let found = try await terms.desks.ledger.redemptions.find(redemption)
        guard let found, try found.user == terms.user else { throw RefusedAct(.noSuchRedemption) }
        let reversed = try await terms.desks.reversals.reverse(
            found, coins, because: terms.reason, terms: terms.decision.reversalTerms(terms.limits.grant),
            under: terms.key
        ).success
        return ["journal_entry": .integer(reversed.journalEntryID), "coins": .integer(reversed.coins)]
    }

    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let redemption = stored["entry"]?.integer, let coins = stored.coins else { return nil }
        self.init(redemption: redemption, coins: coins)
    }
}

/// Credits the payment of a finding to the customer.
package struct ClaimOrder: PersonOrder {
    package static let act = AuditAct.claimFinding

    package let finding: Int64
    /// Whether the person confirmed that there is no record of the customer.
    package let isNewUser: Bool

    package init(finding: Int64, isNewUser: Bool) {
        self.finding = finding
        self.isNewUser = isNewUser
    }

    package var parameters: [String: JSON] {
        ["finding": .integer(finding)].merging(isNewUser ? ["new_user": .bool(true)] : [:]) { $1 }
    }

    package func target(of _: UserID?) -> String { "finding:\(finding)" }

    package static let decisive = ["amount", "open"]

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        try await desk.seen(ofFinding: finding, for: user)
    }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let claim = FindingActs.Claim(
            finding: finding, user: try terms.user, isNewUser: isNewUser, reason: terms.reason,
            caller: terms.key.caller.rawValue, seen: terms.decision.payment)
        switch try await terms.desks.findings.claim(claim) {
        case .credited(let credited, _): return ["purchase": .integer(credited.purchase.id)]
        case .given(let free, _): return ["grant": .integer(free.grantID)]
        case .waiting(.priceNotBookable): throw Problem(.priceNotBookable)
        case .waiting(.worthOutOfRange): throw Problem(.worthOutOfRange)
        case .waiting: throw Problem(.paymentUnconfirmed)
        }
    }

    package init?(_ stored: JSON, account _: BankAccount?) {
        guard let finding = stored["finding"]?.integer else { return nil }
        self.init(finding: finding, isNewUser: stored["new_user"] == .bool(true))
    }
}

extension Coins {
    /// The coins of an order.
    init(ordered count: Int64) throws(Problem) {
        guard let coins = Coins(count) else { throw .invalid(member: "coins", "coins must be 1 or more") }
        self = coins
    }
}

extension JSON {
    /// The coins of a stored order; nil: there are none, or none that an act can move, which must never mean all.
    var coins: Coins? { self["coins"]?.integer.flatMap(Coins.init) }

    /// An integer.
    package static func integer(_ value: Int64) -> JSON { .number(String(value)) }
}
