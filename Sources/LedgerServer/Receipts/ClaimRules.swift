import Ledger
import PGVerifier

/// The rules for who can claim a payment without an order.
struct ClaimRules: Sendable {
    /// The members of the payment's custom data with the user's id; nil: custom data is not used.
    var userMembers: [String]? = ["user_id", "userId"]
    /// How long a credit waits for claims of other users, if the receipt was presented before the payment.
    var grace: Duration = .seconds(30)

    /// The user in the payment's data; nil if there is none, or if it is not a valid user id.
    func user(namedBy payment: GatewayPayment) -> UserID? {
        userMembers.flatMap { payment.namedUser(in: $0) }.flatMap(UserID.init(rawValue:))
    }
}

extension ClaimRules {
    /// The configured rules.
    init(_ values: SettingValues) throws(ConfigurationError) {
        let members = try values[Settings.receipts.userMembers]
        userMembers = members.isEmpty ? nil : members
        grace = try values[Settings.receipts.claimGrace]
    }
}
