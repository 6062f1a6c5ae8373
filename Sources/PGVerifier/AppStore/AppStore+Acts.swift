package import FoundationEssentials
import WireFormats

/// What the shop tells the store about a purchase whose refund a customer asks for.
///
/// It is sent only with the customer's consent, within 12 hours, and is one of several things that the store looks at.
package struct AppStoreConsumption: Hashable, Sendable {
    /// Whether the customer got what was bought.
    package enum Delivery: String, Hashable, Sendable, CaseIterable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    /// What the shop would do.
    package enum Preference: String, Hashable, Sendable, CaseIterable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        /// The unused part; the percentage is required.
        case grantProrated = "GRANT_PRORATED"
    }

    package var delivery: Delivery

    /// Whether there was a free sample, or information about how it works.
    package var isSampleProvided: Bool

    /// The used part, in thousandths of a percent, 0 to 100000; nil: not told.
    package var percentage: Int64?

    /// Nil: none.
    package var preference: Preference?

    package init(
        delivery: Delivery, isSampleProvided: Bool, percentage: Int64? = nil, preference: Preference? = nil
    ) {
        self.delivery = delivery
        self.isSampleProvided = isSampleProvided
        self.percentage = percentage
        self.preference = preference
    }

    /// The request's body.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` for what the store refuses.
    fileprivate var body: JSON {
        get throws(GatewayError) {
            if let percentage, !(0...100_000).contains(percentage) {
                throw GatewayError(.invalidRequest, message: "the percentage must be 0 to 100000")
            }
            guard preference != .grantProrated || (percentage ?? 0) > 0 else {
                throw GatewayError(.invalidRequest, message: "a prorated refund needs the used part")
            }
            var members: [String: JSON] = [
                "customerConsented": .bool(true), "sampleContentProvided": .bool(isSampleProvided),
                "deliveryStatus": .string(delivery.rawValue),
            ]
            members["consumptionPercentage"] = percentage.map { .number(String($0)) }
            members["refundPreference"] = preference.map { .string($0.rawValue) }
            return .object(members)
        }
    }
}

extension AppStore {
    /// Says that the purchase is delivered (`POST /inApps/v1/transactions/{id}/finish`), instead of the app's `finish()`.
    ///
    /// Only after the books have it: a finished consumable is gone from the device. Safe to repeat.
    ///
    /// - Throws: ``GatewayError``.
    package func finish(_ id: TransactionID, in environment: AppStoreEnvironment) async throws(GatewayError) {
        _ = try await client.host(environment).ask(
            .finish, GatewayCall(method: .post, path: ["inApps", "v1", "transactions", id.text, "finish"]))
    }

    /// The same of a purchase that was looked up for its receipt, in the environment in which it is.
    package func finish(_ receipt: Receipt) async throws(GatewayError) {
        let transaction = try await transaction(try receipt.transactionID)
        try await finish(transaction.id, in: transaction.environment)
    }

    /// Answers a consumption request (`PUT /inApps/v2/transactions/consumption/{id}`).
    ///
    /// The caller has the customer's consent; without it nothing may be sent.
    ///
    /// - Throws: ``GatewayError``.
    package func send(
        _ consumption: AppStoreConsumption, about id: TransactionID, in environment: AppStoreEnvironment
    ) async throws(GatewayError) {
        let call = GatewayCall(
            method: .put, path: ["inApps", "v2", "transactions", "consumption", id.text], body: try consumption.body)
        _ = try await client.host(environment).ask(.consumption, call)
    }

    /// Gives a purchase the user's token (`PUT /inApps/v1/transactions/{originalTransactionId}/appAccountToken`); it replaces
    /// one that is there.
    ///
    /// - Throws: ``GatewayError``; refused for a purchase that a family shares, and for an id that is no original one.
    package func setAccountToken(
        _ token: UUID, of original: TransactionID, in environment: AppStoreEnvironment
    ) async throws(GatewayError) {
        let call = GatewayCall(
            method: .put, path: ["inApps", "v1", "transactions", original.text, "appAccountToken"],
            body: .object(["appAccountToken": .string(token.uuidString.lowercased())]))
        _ = try await client.host(environment).ask(.accountToken, call)
    }
}
