import Ledger
import PGVerifier

/// Whose a payment is that no order was made for.
struct ClaimRules: Sendable {
    /// The members of the app's own data that name the user; nil: whatever it says names nobody.
    var userMembers: [String]? = ["user_id", "userId"]
    /// How long after it was paid a payment that was presented before may be presented by others.
    var grace: Duration = .seconds(30)

    /// The user whom the payment names; a text that can be no user's id names nobody.
    func user(namedBy payment: GatewayPayment) -> UserID? {
        userMembers.flatMap { payment.namedUser(in: $0) }.flatMap(UserID.init(rawValue:))
    }
}

extension ClaimRules {
    /// What is set.
    init(_ values: SettingValues) throws(ConfigurationError) {
        let members = try values[Settings.receipts.userMembers]
        userMembers = members.isEmpty ? nil : members
        grace = try values[Settings.receipts.claimGrace]
    }
}
