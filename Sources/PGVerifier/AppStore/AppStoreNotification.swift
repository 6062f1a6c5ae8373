package import FoundationEssentials

/// A server notification, version 2: what happened, and the transaction as it was then.
///
/// Notifications come twice and in any order, so it is a hint to ask the gateway.
package struct AppStoreNotification: Hashable, Sendable {
    /// What happened; new kinds can be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A purchase; in production since 2025-05-27.
        package static let oneTimeCharge = Kind(rawValue: "ONE_TIME_CHARGE")
        package static let refund = Kind(rawValue: "REFUND")
        package static let refundDeclined = Kind(rawValue: "REFUND_DECLINED")
        /// A refund was taken back: the purchase stands again.
        package static let refundReversed = Kind(rawValue: "REFUND_REVERSED")
        /// A refund is asked for: answer within 12 hours, if the customer consents.
        package static let consumptionRequest = Kind(rawValue: "CONSUMPTION_REQUEST")
        /// A family shares it no longer.
        package static let revoke = Kind(rawValue: "REVOKE")
        package static let test = Kind(rawValue: "TEST")
        package static let externalPurchaseToken = Kind(rawValue: "EXTERNAL_PURCHASE_TOKEN")
        package static let rescindConsent = Kind(rawValue: "RESCIND_CONSENT")
    }

    /// The same for every delivery.
    package let id: String
    package let kind: Kind
    package let subtype: String?
    package let signedAt: Date

    /// Nil if it is not about the app's data, and does not tell.
    package let environment: AppStoreEnvironment?

    /// Why a refund is asked for, such as `UNINTENDED_PURCHASE`; nil: not reported.
    package let consumptionReason: String?

    /// The transaction that it is about; nil: it is about none.
    package internal(set) var transaction: AppStoreTransaction?
}

extension AppStoreNotification {
    /// The members one of which says what it is about, as Apple's own client reads them.
    private static let subjects = ["data", "summary", "externalPurchaseToken", "appData"]

    /// Without the transaction, which has a signature of its own.
    init(_ members: SignedMembers, of configuration: AppStoreConfiguration) throws(SignedDataError) {
        id = try members.requiredText("notificationUUID")
        kind = Kind(rawValue: try members.requiredText("notificationType"))
        subtype = members.text("subtype")
        signedAt = try members.requiredTime("signedDate")
        guard let subject = Self.subjects.lazy.compactMap(members.object).first else {
            throw SignedDataError(.malformed, "the notification is about no app")
        }
        environment = try Self.environment(of: subject, configuration)
        consumptionReason = subject.text("consumptionRequestReason")
    }

    private static func environment(
        of subject: SignedMembers, _ configuration: AppStoreConfiguration
    ) throws(SignedDataError) -> AppStoreEnvironment? {
        let bundleID = try subject.requiredText("bundleId")
        guard let name = subject.text("environment") else {
            guard bundleID == configuration.bundleID else { throw SignedDataError(.anotherApp, "bundleId is not ours") }
            return nil
        }
        let environment = try configuration.environment(bundleID: bundleID, environment: name)
        if environment == .production {
            guard try subject.integer("appAppleId", in: 0...Int64.max) == configuration.appleID else {
                throw SignedDataError(.anotherApp, "appAppleId is not ours")
            }
        }
        return environment
    }
}
