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
    /// Coins used up.
    case spend(Spend)
    /// Coins set aside for someone.
    case placeHold(PlaceHold)
    /// Coins that were set aside, taken.
    case captureHold(CaptureHold)
    /// Coins that were set aside, given back.
    case voidHold(VoidHold)
    /// Coins that were set aside too long, given back.
    case expireHold(ExpireHold)
    /// Coins that were kept too long, taken.
    case expireLot(ExpireLot)
    /// Coins owed, paid out of those that can be used.
    case payDebt(PayDebt)
    /// Coins of a purchase, set aside to be given back for their money.
    case beginRefund(BeginRefund)
    /// Coins set aside for a refund, taken, for the money went back.
    case completeRefund(CompleteRefund)
    /// Coins set aside for a refund, given back, for the gateway refused.
    case releaseRefund(ReleaseRefund)
    /// What the gateway paid out of a payment.
    case settle(Settle)

    /// The user whose wallet it touches, and so the stripe it lies in.
    public var user: UserID {
        switch self {
        case .creditPurchase(let command): command.user
        case .grant(let command): command.user
        case .clawBack(let command): command.user
        case .spend(let command): command.user
        case .placeHold(let command): command.user
        case .captureHold(let command): command.user
        case .voidHold(let command): command.user
        case .expireHold(let command): command.user
        case .expireLot(let command): command.user
        case .payDebt(let command): command.user
        case .beginRefund(let command): command.user
        case .completeRefund(let command): command.user
        case .releaseRefund(let command): command.user
        case .settle(let command): command.user
        }
    }

    /// The command as its caller named it, if it is one that callers name.
    var keyed: (any KeyedCommand)? {
        switch self {
        case .grant(let command): command
        case .spend(let command): command
        case .placeHold(let command): command
        case .captureHold(let command): command
        case .voidHold(let command): command
        case .beginRefund(let command): command
        case .creditPurchase, .clawBack, .expireHold, .expireLot, .payDebt, .completeRefund, .releaseRefund, .settle:
            nil
        }
    }
}

// MARK: - What it may touch, to be locked and read before it is planned

extension Command {
    /// The system accounts it may post to: those of revenue where coins become usable, for they may pay a debt.
    var systemAccounts: [SystemAccount] {
        switch self {
        case .creditPurchase(let command):
            command.bonusCoins == nil
                ? [.coinsIssued, .gatewayReceivable, .deferredRevenue, .revenue]
                : [.coinsIssued, .coinsPromotions, .gatewayReceivable, .deferredRevenue, .revenue]
        case .grant: [.coinsPromotions, .deferredRevenue, .revenue]
        case .clawBack:
            [
                .coinsIssued, .coinsPromotions, .coinsExpired, .gatewayReceivable, .deferredRevenue, .revenue,
                .breakage,
            ]
        case .spend, .captureHold: [.coinsRedeemed, .deferredRevenue, .revenue]
        case .placeHold, .beginRefund: []
        case .voidHold, .expireHold, .releaseRefund, .payDebt: [.deferredRevenue, .revenue]
        case .expireLot: [.coinsExpired, .deferredRevenue, .breakage]
        case .completeRefund:
            [.coinsIssued, .coinsPromotions, .gatewayReceivable, .deferredRevenue, .revenue, .refundFees]
        case .settle: [.bank, .gatewayFees, .gatewayReceivable]
        }
    }

    /// The provider whose earnings it may post to.
    var provider: UserID? {
        if case .captureHold(let command) = self { command.provider } else { nil }
    }

    /// The payment by which its recorded outcome is found, if a payment is its key.
    var payment: PaymentIdentity? {
        switch self {
        case .creditPurchase(let command): command.payment
        case .clawBack(let command): command.payment
        case .settle(let command): command.payment
        default: nil
        }
    }

    /// The row of a statement that it names, and the payment it is of, if it names one.
    var settlement: Settle? {
        if case .settle(let command) = self { command } else { nil }
    }

    /// The payment whose lots it may take back, if it is one that takes back.
    var takenBack: PaymentIdentity? {
        if case .clawBack(let command) = self { command.payment } else { nil }
    }

    /// The user among all of whose lots it finds its own, if it is one that does.
    var chooser: UserID? {
        switch self {
        case .spend, .placeHold, .beginRefund, .completeRefund, .releaseRefund, .clawBack: user
        default: nil
        }
    }

    /// The user among all of whose lots it finds those that pay a debt, should there be one.
    var payer: UserID? {
        switch self {
        case .creditPurchase, .grant, .captureHold, .voidHold, .expireHold, .payDebt: user
        default: nil
        }
    }

    /// The purchase it names, if it names one.
    var purchaseID: Int64? {
        if case .beginRefund(let command) = self { command.purchaseID } else { nil }
    }

    /// The refund it names, if it names one.
    var refundID: Int64? {
        switch self {
        case .completeRefund(let command): command.refundID
        case .releaseRefund(let command): command.refundID
        default: nil
        }
    }

    /// The hold it names, if it names one.
    var holdID: Int64? {
        switch self {
        case .captureHold(let command): command.holdID
        case .voidHold(let command): command.holdID
        case .expireHold(let command): command.holdID
        default: nil
        }
    }

    /// The lot it names, if it names one.
    var lotID: Int64? {
        if case .expireLot(let command) = self { command.lotID } else { nil }
    }
}
