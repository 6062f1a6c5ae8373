import Ledger
import WireFormats

/// An act on a customer's coins or money that a second person approves if it is above a limit.
///
/// Until then it is stored, with its parameters.
protocol ConsoleOrder: Sendable {
    static var act: ConsoleAct { get }

    /// The numbers of the order, without the bank account.
    var parameters: [String: JSON] { get }
    /// The bank account of a refund, which is stored where it can be erased.
    var account: BankAccount? { get }

    /// The order of a stored proposal; nil for one that this version can't read.
    init?(_ stored: JSON, account: BankAccount?)

    /// What it is done to.
    func target(of user: UserID) -> String

    /// Carries it out.
    ///
    /// - Returns: what was made, for the record.
    func perform(_ terms: ConsoleOrderTerms) async throws -> [String: JSON]
}

extension ConsoleOrder {
    var account: BankAccount? { nil }
}

/// Who ordered an act, of whom and why, and who decided about it.
struct ConsoleOrderTerms: Sendable {
    fileprivate let desk: ConsoleDesk
    let user: UserID
    let reason: String
    let key: CallerKey
    /// The name of the person who ordered it.
    let issuer: String
    let decision: ConsoleDecision

    init(
        desk: ConsoleDesk, user: UserID, reason: String, key: CallerKey, issuer: String, decision: ConsoleDecision
    ) {
        self.desk = desk
        self.user = user
        self.reason = reason
        self.key = key
        self.issuer = issuer
        self.decision = decision
    }

    /// The acts of the features.
    var desks: Desks { desk.desks }
    /// What one person can do alone.
    var limits: ApprovalLimits { desk.limits }
}

/// The orders that can be proposed.
enum ConsoleOrders {
    static let all: [any ConsoleOrder.Type] = [
        RefundOrder.self, GrantOrder.self, WriteOffOrder.self, ReversalOrder.self, ClaimOrder.self,
    ]

    /// The order of a stored proposal; nil for one that this version can't read.
    static func stored(in approval: Approval) -> (any ConsoleOrder)? {
        guard let stored = try? JSONParser.parse(Array(approval.parameters.utf8)) else { return nil }
        return all.first { $0.act.name == approval.act }?.init(stored, account: approval.account)
    }
}

/// Refunds coins of a purchase.
struct RefundOrder: ConsoleOrder {
    static let act = ConsoleAct.refund

    let purchase: Int64
    let coins: Int64
    let account: BankAccount?

    var parameters: [String: JSON] { ["purchase": .integer(purchase), "coins": .integer(coins)] }

    func target(of _: UserID) -> String { "purchase:\(purchase)" }

    func perform(_ terms: ConsoleOrderTerms) async throws -> [String: JSON] {
        guard let purchase = try await terms.desks.ledger.purchases.find(purchase, of: terms.user) else {
            throw RefusedAct(.noSuchPurchase)
        }
        let asked = RefundActs.Request(
            purchase: purchase, coins: Coins(coins), reason: terms.reason, account: account,
            terms: terms.decision.refundTerms(terms.limits.refund(in: purchase.currency.code)))
        let refund = try await terms.desks.refunding.refund(asked, under: terms.key).success
        if refund.status == .refused { throw Problem.refundRefused(refund) }
        return [
            "refund": .integer(refund.id), "status": .string(refund.status.rawValue),
            "amount": .integer(refund.amount),
        ]
    }
}

extension RefundOrder {
    init?(_ stored: JSON, account: BankAccount?) {
        guard let purchase = stored["purchase"]?.integer, let coins = stored["coins"]?.integer else { return nil }
        self.init(purchase: purchase, coins: coins, account: account)
    }
}

/// Gives bonus coins.
struct GrantOrder: ConsoleOrder {
    static let act = ConsoleAct.grant

    let coins: Int64

    var parameters: [String: JSON] { ["coins": .integer(coins)] }

    func target(of user: UserID) -> String { "user:\(user.rawValue)" }

    func perform(_ terms: ConsoleOrderTerms) async throws -> [String: JSON] {
        let granted = try await terms.desks.grants.grant(
            try Coins(ordered: coins), to: terms.user, because: terms.reason, issuer: terms.issuer, under: terms.key
        ).success
        return ["lot": .integer(granted.lotID), "journal_entry": .integer(granted.journalEntryID)]
    }
}

extension GrantOrder {
    init?(_ stored: JSON, account _: BankAccount?) {
        guard let coins = stored["coins"]?.integer else { return nil }
        self.init(coins: coins)
    }
}

/// Forgives coins that the customer owes.
struct WriteOffOrder: ConsoleOrder {
    static let act = ConsoleAct.writeOff

    let coins: Int64

    var parameters: [String: JSON] { ["coins": .integer(coins)] }

    func target(of user: UserID) -> String { "user:\(user.rawValue)" }

    func perform(_ terms: ConsoleOrderTerms) async throws -> [String: JSON] {
        let writtenOff = try await terms.desks.debts.writeOff(
            try Coins(ordered: coins), of: terms.user, because: terms.reason, owedBefore: terms.decision.owedBefore,
            under: terms.key
        ).success
        return ["journal_entry": .integer(writtenOff.journalEntryID)]
    }
}

extension WriteOffOrder {
    init?(_ stored: JSON, account _: BankAccount?) {
        guard let coins = stored["coins"]?.integer else { return nil }
        self.init(coins: coins)
    }
}

/// Takes back coins of a spend or capture, named by its journal entry.
struct ReversalOrder: ConsoleOrder {
    static let act = ConsoleAct.reverse

    let redemption: Int64
    let coins: Int64

    var parameters: [String: JSON] { ["entry": .integer(redemption), "coins": .integer(coins)] }

    func target(of _: UserID) -> String { "entry:\(redemption)" }

    func perform(_ terms: ConsoleOrderTerms) async throws -> [String: JSON] {
        let found = try await terms.desks.ledger.redemptions.find(redemption)
        guard let found, found.user == terms.user else { throw RefusedAct(.noSuchRedemption) }
        let reversed = try await terms.desks.reversals.reverse(
            found, Coins(coins), because: terms.reason, terms: terms.decision.reversalTerms(terms.limits.grant),
            under: terms.key
        ).success
        return ["journal_entry": .integer(reversed.journalEntryID), "coins": .integer(reversed.coins)]
    }
}

extension ReversalOrder {
    init?(_ stored: JSON, account _: BankAccount?) {
        guard let redemption = stored["entry"]?.integer, let coins = stored["coins"]?.integer else { return nil }
        self.init(redemption: redemption, coins: coins)
    }
}

/// Credits the payment of a finding to the customer.
struct ClaimOrder: ConsoleOrder {
    static let act = ConsoleAct.claimFinding

    let finding: Int64
    /// Whether the person confirmed that there is no record of the customer.
    let isNewUser: Bool

    var parameters: [String: JSON] {
        ["finding": .integer(finding)].merging(isNewUser ? ["new_user": .bool(true)] : [:]) { $1 }
    }

    func target(of _: UserID) -> String { "finding:\(finding)" }

    func perform(_ terms: ConsoleOrderTerms) async throws -> [String: JSON] {
        let claim = FindingActs.Claim(
            finding: finding, user: terms.user, isNewUser: isNewUser, reason: terms.reason,
            caller: terms.key.caller.rawValue, seen: terms.decision.payment)
        switch try await terms.desks.findings.claim(claim) {
        case .credited(let credited, _): return ["purchase": .integer(credited.purchase.id)]
        case .waiting: throw Problem(.paymentUnconfirmed)
        }
    }
}

extension ClaimOrder {
    init?(_ stored: JSON, account _: BankAccount?) {
        guard let finding = stored["finding"]?.integer else { return nil }
        self.init(finding: finding, isNewUser: stored["new_user"] == .bool(true))
    }
}

extension Coins {
    /// The coins of an order.
    fileprivate init(ordered count: Int64) throws(Problem) {
        guard let coins = Coins(count) else { throw .invalid(member: "coins", "coins must be 1 or more") }
        self = coins
    }
}

extension JSON {
    /// An integer.
    static func integer(_ value: Int64) -> JSON { .number(String(value)) }
}
