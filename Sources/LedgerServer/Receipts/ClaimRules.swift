import Ledger
import PGVerifier

/// The rules for who can claim a payment without an order.
struct ClaimRules: Sendable {
    /// The members of the payment's custom data with the user's id; nil: custom data is not used.
    var userMembers: [String]? = ["user_id", "userId"]
    /// How long a credit waits for claims of other users, if the receipt was presented before the payment.
    var grace: Duration = .seconds(30)
    /// Whether a payment without an order is credited to the user in its data, also if nobody presents it.
    var creditsNamed = false

    /// The user in the payment's data; nil if there is none, or if it is not a valid user id.
    ///
    /// Of a store's purchase, it is the user whose token the app passed: nobody else knows it.
    func user(namedBy payment: GatewayPayment) -> UserID? {
        let named = payment.store == nil ? userMembers.flatMap { payment.namedUser(in: $0) } : payment.customerID
        return named.flatMap(UserID.init(rawValue:))
    }

    /// The user to whom a payment without an order is credited without a receipt.
    func payee(of payment: GatewayPayment) -> UserID? {
        creditsNamed || payment.store != nil ? user(namedBy: payment) : nil
    }
}

extension ClaimRules {
    /// The configured rules.
    init(_ values: SettingValues) throws(ConfigurationError) {
        let members = try values[Settings.receipts.userMembers]
        userMembers = members.isEmpty ? nil : members
        grace = try values[Settings.receipts.claimGrace]
        let ordersOnly = try values.requireOrders
        creditsNamed = try values[Settings.receipts.creditNamedUsers] && !ordersOnly
    }
}
