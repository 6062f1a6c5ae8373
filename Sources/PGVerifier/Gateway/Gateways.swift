/// The configured gateways.
package struct Gateways: Sendable {
    /// Every gateway that this version knows, configured or not.
    ///
    /// Where a request leaves the choice open, the first is taken.
    package static let known: [any PaymentGateway.Type] = [
        PortOneV1.self,
        PortOneV2.self,
        AppStore.self,
        GooglePlay.self,
    ]

    /// The gateway with this name, configured or not; nil: this version knows none.
    package static func known(as name: String) -> (any PaymentGateway.Type)? { known.first { $0.name == name } }

    /// Every configured gateway, in the order of ``known``.
    package let all: [any PaymentGateway]

    /// The configured gateways.
    package init(_ all: [any PaymentGateway] = []) {
        self.all = all
    }

    /// The gateway of a receipt; nil if it is off.
    package func gateway(for receipt: Receipt) -> (any PaymentGateway)? { gateway(named: receipt.gatewayName) }

    /// The gateway with this name; nil if it is off.
    package func gateway(named name: String) -> (any PaymentGateway)? {
        all.first { $0.name == name }
    }
}

// MARK: - Abilities

extension Gateways {
    /// The names of the known gateways that register orders, configured or not.
    package static var thatRegister: [String] {
        known.compactMap { gateway in (gateway as? any RegistersOrders.Type)?.name }
    }

    /// The gateways at which orders are registered.
    package var registering: [any RegistersOrders] { all.compactMap { $0 as? any RegistersOrders } }

    /// The names of the known gateways that list payments, configured or not.
    package static var thatList: [String] {
        known.compactMap { gateway in (gateway as? any ListsPayments.Type)?.name }
    }

    /// The gateways that list payments.
    package var listing: [any ListsPayments] { all.compactMap { $0 as? any ListsPayments } }

    /// The gateways that list notifications.
    package var listingNotifications: [any ListsNotifications] { all.compactMap { $0 as? any ListsNotifications } }

    /// Whether the known gateway with this name can take a refund back, configured or not.
    package static func takesRefundsBack(_ name: String) -> Bool { known(as: name) is any TakesRefundsBack.Type }

    /// The gateways that list no payments, and tell what they gave back.
    package var tellingRefunds: [any TellsRefunds] { all.compactMap { $0 as? any TellsRefunds } }

    /// The gateway with this name; nil if it is off, or cancels nothing for the merchant.
    package func canceller(named name: String) -> (any CancelsPayments)? {
        gateway(named: name) as? any CancelsPayments
    }

    /// The names of the known gateways that charge registered cards, configured or not.
    package static var thatCharge: [String] {
        known.compactMap { gateway in (gateway as? any ChargesBillingKeys.Type)?.name }
    }

    /// The gateway with this name; nil if it is off, or charges no registered cards.
    package func charger(named name: String) -> (any ChargesBillingKeys)? {
        gateway(named: name) as? any ChargesBillingKeys
    }

    /// The gateway with this name; nil if it is off, or signs no receipts.
    package func signer(named name: String) -> (any SignsReceipts)? {
        gateway(named: name) as? any SignsReceipts
    }

    /// Whether a gateway can be asked for ``taxFreeRest(of:)``.
    package var tellTaxFreeRest: Bool { !tellingTaxFreeRest.isEmpty }

    /// What is left of a payment with its tax-free part; nil if no configured gateway tells it.
    ///
    /// - Throws: ``GatewayError`` if a gateway that may tell it can't be asked now.
    package func taxFreeRest(of receipt: Receipt) async throws(GatewayError) -> TaxFreeRest? {
        for gateway in tellingTaxFreeRest {
            if let rest = try await gateway.taxFreeRest(of: receipt) { return rest }
        }
        return nil
    }

    private var tellingTaxFreeRest: [any TellsTaxFreeRest] { all.compactMap { $0 as? any TellsTaxFreeRest } }
}
