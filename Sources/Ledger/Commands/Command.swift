/// An act that may move coins or money.
///
/// A value, with an idempotency key of its own.
public enum Command: Sendable, Equatable {
    /// A payment that the gateway confirmed becomes coins.
    case creditPurchase(CreditPurchase)
    /// Coins given without payment.
    case grant(Grant)
    /// Coins taken back because their payment was cancelled at the gateway.
    case clawBack(ClawBack)

    /// The user whose wallet it touches, and so the stripe it lies in.
    public var user: UserID {
        switch self {
        case .creditPurchase(let command): command.user
        case .grant(let command): command.user
        case .clawBack(let command): command.user
        }
    }

    /// The system accounts it may post to; they are locked before it is planned.
    var systemAccounts: [SystemAccount] {
        switch self {
        case .creditPurchase(let command):
            command.bonusCoins == nil
                ? [.coinsIssued, .gatewayReceivable, .deferredRevenue]
                : [.coinsIssued, .coinsPromotions, .gatewayReceivable, .deferredRevenue]
        case .grant: [.coinsPromotions]
        case .clawBack: [.coinsIssued, .coinsPromotions, .gatewayReceivable, .deferredRevenue, .revenue]
        }
    }

    /// The payment by which its recorded outcome is found, if a payment is its key.
    var payment: PaymentIdentity? {
        switch self {
        case .creditPurchase(let command): command.payment
        case .clawBack(let command): command.payment
        case .grant: nil
        }
    }

    /// The payment whose lots it may take back, if it is one that takes back.
    var takenBack: PaymentIdentity? {
        switch self {
        case .clawBack(let command): command.payment
        case .creditPurchase, .grant: nil
        }
    }

    /// The caller's key by which its recorded outcome is found, if it has one.
    var idempotencyKey: IdempotencyKey? {
        switch self {
        case .creditPurchase, .clawBack: nil
        case .grant(let command): command.idempotencyKey
        }
    }
}
