/// An act that may move coins or money.
///
/// A value, with an idempotency key of its own.
public enum Command: Sendable, Equatable {
    /// A payment that the gateway confirmed becomes coins.
    case creditPurchase(CreditPurchase)
    /// Coins given without payment.
    case grant(Grant)

    /// The user whose wallet it touches, and so the stripe it lies in.
    public var user: UserID {
        switch self {
        case .creditPurchase(let command): command.user
        case .grant(let command): command.user
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
        }
    }

    /// The payment by which its recorded outcome is found, if a payment is its key.
    var payment: PaymentIdentity? {
        switch self {
        case .creditPurchase(let command): command.payment
        case .grant: nil
        }
    }

    /// The caller's key by which its recorded outcome is found, if it has one.
    var idempotencyKey: IdempotencyKey? {
        switch self {
        case .creditPurchase: nil
        case .grant(let command): command.idempotencyKey
        }
    }
}
