import FoundationEssentials

extension GooglePlayPurchase {
    /// The code of no currency (ISO 4217).
    static let noCurrency = "XXX"

    /// The purchase as a payment without an order: it is not paid, or costs nothing.
    func payment() -> GatewayPayment {
        var payment = GatewayPayment(
            gateway: GooglePlay.name, paymentID: token.text, merchantUID: Receipt.googlePlay(token).merchantUID,
            merchantPaymentID: orderID?.text, status: status, amount: 0, currency: Self.noCurrency, isTest: isTest,
            paidAt: completedAt)
        payment.store = store(price: 0, refundedPart: payment.status == .failed ? 0 : partTakenBack)
        return payment
    }

    func store(price: Int64, refundedPart: Int64) -> StorePurchase {
        StorePurchase(
            app: app,
            items: items.map {
                StorePurchase.Item(productID: $0.productID, quantity: $0.quantity, isConsumed: $0.isConsumed)
            },
            price: price, refundedPart: refundedPart, isConsumable: items.contains(where: \.isRental) ? false : nil,
            storefront: region, isFamilyShared: false, accountToken: accountID.flatMap(UUID.init(uuidString:)),
            isAcknowledged: isAcknowledged, toldAt: toldAt)
    }

    private var status: GatewayPayment.Status {
        switch state {
        case .pending: .ready
        case .purchased: GatewayPayment.Status(partTakenBack: partTakenBack)
        case .cancelled: wasPaid ? .cancelled : .failed
        default: .unknown(state.rawValue)
        }
    }
}

extension GatewayPayment.Status {
    /// The status of what was free: amounts tell nothing of it.
    init(partTakenBack part: Int64) {
        self = part >= StorePurchase.whole ? .cancelled : part > 0 ? .partiallyCancelled : .paid
    }
}
