import FoundationEssentials

extension GooglePlayOrder {
    /// The order as a payment, without what only the purchase shows: the account, the test channel, what is consumed.
    ///
    /// For refunds of purchases that are known: an order shows also those that left the purchase as it was.
    ///
    /// - Throws: ``GatewayError/Code/unreadablePayment`` for an amount with parts of a minor unit.
    package func payment() throws(GatewayError) -> GatewayPayment { try payment(of: nil) }

    /// Whether money was taken for it: that it is cancelled does not say so.
    var wasPaid: Bool { processedAt != nil || refund != nil || !partialRefunds.isEmpty }

    /// The order with its purchase, which was paid, as a payment, which the verdict judges.
    func payment(of purchase: GooglePlayPurchase?) throws(GatewayError) -> GatewayPayment {
        guard let amount = total.minorUnits, amount >= 0, let price = total.thousandths, price >= 0,
            let countable = total.countable
        else { throw PlayMembers.unusable("total") }
        let refunds = try PlayRefunds(of: self, purchase, amount: countable)
        let wasPaid = purchase != nil || state != .canceled
        var payment = GatewayPayment(
            gateway: GooglePlay.name, paymentID: token.text, merchantUID: Receipt.googlePlay(token).merchantUID,
            merchantPaymentID: id.text, status: status(purchase, refunds), amount: amount,
            cancelledAmount: refunds.total, cancellations: refunds.cancellations,
            currency: total.currency, isTest: purchase?.isTest, startedAt: createdAt,
            paidAt: wasPaid ? purchase?.completedAt ?? processedAt : nil, cancelledAt: refunds.lastAt)
        payment.store =
            purchase?.store(price: price, refundedPart: refunds.part)
            ?? StorePurchase(
                app: app, items: items.map { StorePurchase.Item(productID: $0.productID, quantity: $0.quantity) },
                price: price, refundedPart: refunds.part, isConsumable: nil, storefront: country,
                isFamilyShared: false, accountToken: nil, toldAt: toldAt)
        if payment.isAmountUnknown {
            payment.cancelledAmount = 0
            for index in payment.cancellations.indices { payment.cancellations[index].amount = 0 }
        }
        return payment
    }

    /// The purchase says whether it is paid; without one, the order does.
    private func status(_ purchase: GooglePlayPurchase?, _ refunds: PlayRefunds) -> GatewayPayment.Status {
        if let purchase {
            return switch purchase.state {
            case .purchased, .cancelled: refunds.status
            case .pending: .ready
            default: .unknown(purchase.state.rawValue)
            }
        }
        return switch state {
        case .processed, .canceled, .pendingRefund, .partiallyRefunded, .refunded: refunds.status
        case .pending: .ready
        default: .unknown(state.rawValue)
        }
    }
}
