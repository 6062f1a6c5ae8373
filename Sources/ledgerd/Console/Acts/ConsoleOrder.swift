import Ledger
import WireFormats

/// An act on a customer's coins or money that a person asks for.
enum ConsoleOrder: Sendable, Equatable {
    /// Refund coins of a purchase.
    case refund(purchase: Int64, coins: Int64, account: BankAccount?)
    /// Give bonus coins.
    case grant(coins: Int64)
    /// Forgive coins that the customer owes, by a grant: a grant pays the debt first.
    case writeOff(coins: Int64)
    /// Release held coins to the wallet.
    case voidHold(hold: Int64)
    /// Take back coins of a spend or capture, named by its journal entry.
    case reverse(redemption: Int64, coins: Int64)
    /// Credit the payment of a finding to the customer; `isNewUser`: the person confirmed that there is no record of
    /// the customer.
    case claim(finding: Int64, isNewUser: Bool)

    var act: AuditAct {
        switch self {
        case .refund: .refund
        case .grant: .grant
        case .writeOff: .writeOff
        case .voidHold: .voidHold
        case .reverse: .reverse
        case .claim: .claimFinding
        }
    }

    /// What it is done to.
    func target(of user: UserID) -> String {
        switch self {
        case .refund(let purchase, _, _): "purchase:\(purchase)"
        case .grant, .writeOff: "user:\(user.rawValue)"
        case .voidHold(let hold): "hold:\(hold)"
        case .reverse(let redemption, _): "entry:\(redemption)"
        case .claim(let finding, _): "finding:\(finding)"
        }
    }

    /// The numbers of the order, without the bank account, which is stored where it can be erased.
    var parameters: [String: JSON] {
        switch self {
        case .refund(let purchase, let coins, _): ["purchase": .integer(purchase), "coins": .integer(coins)]
        case .grant(let coins), .writeOff(let coins): ["coins": .integer(coins)]
        case .voidHold(let hold): ["hold": .integer(hold)]
        case .reverse(let redemption, let coins): ["entry": .integer(redemption), "coins": .integer(coins)]
        case .claim(let finding, false): ["finding": .integer(finding)]
        case .claim(let finding, true): ["finding": .integer(finding), "new_user": .bool(true)]
        }
    }

    /// The order of a stored proposal; nil for one that this version can't read.
    init?(_ approval: Approval) {
        guard let stored = try? JSONParser.parse(Array(approval.parameters.utf8)) else { return nil }
        switch (AuditAct(rawValue: approval.act), stored["coins"]?.integer) {
        case (.refund, let coins?):
            guard let purchase = stored["purchase"]?.integer else { return nil }
            self = .refund(purchase: purchase, coins: coins, account: approval.account)
        case (.grant, let coins?): self = .grant(coins: coins)
        case (.writeOff, let coins?): self = .writeOff(coins: coins)
        case (.reverse, let coins?):
            guard let redemption = stored["entry"]?.integer else { return nil }
            self = .reverse(redemption: redemption, coins: coins)
        case (.claimFinding, _):
            guard let finding = stored["finding"]?.integer else { return nil }
            self = .claim(finding: finding, isNewUser: stored["new_user"] == .bool(true))
        default: return nil
        }
    }
}

extension JSON {
    /// An integer.
    static func integer(_ value: Int64) -> JSON { .number(String(value)) }
}
