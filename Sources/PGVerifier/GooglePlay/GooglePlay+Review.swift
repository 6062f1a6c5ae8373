import CivilTime
package import FoundationEssentials
import WireFormats

/// What the shop tells Google about an order whose buyer disputes it at the card's issuer.
///
/// It must come within 24 hours of the notification.
package struct GooglePlayReview: Hashable, Sendable {
    /// What the shop would do.
    package enum Preference: String, Hashable, Sendable, CaseIterable {
        case decline = "DECLINE"
        case approve = "APPROVE"
        case neutral = "NEUTRAL"
    }

    /// A use of what was bought.
    package struct Usage: Hashable, Sendable {
        package var at: Date
        /// What was used, at most 5,000 characters.
        package var description: String

        package init(at: Date, description: String) {
            self.at = at
            self.description = description
        }
    }

    package var preference: Preference

    /// Whether there was a free sample, or information about how it works.
    package var isSampleProvided: Bool

    /// The used part, in thousandths of a percent, 0 to 100000; nil: not told.
    package var percentage: Int64?

    /// At most 1,000.
    ///
    /// Without addresses and places: they are personal and not needed.
    package var usages: [Usage]

    package init(
        preference: Preference, isSampleProvided: Bool, percentage: Int64? = nil, usages: [Usage] = []
    ) {
        self.preference = preference
        self.isSampleProvided = isSampleProvided
        self.percentage = percentage
        self.usages = usages
    }

    /// The request's body.
    ///
    /// - Throws: ``GatewayError/Code/invalidRequest`` for what Google refuses.
    fileprivate func body(token: String) throws(GatewayError) -> JSON {
        if let percentage, !(0...100_000).contains(percentage) {
            throw GatewayError(.invalidRequest, message: "the percentage must be 0 to 100000")
        }
        guard usages.count <= 1000, usages.allSatisfy({ $0.description.utf16.count <= 5000 }) else {
            throw GatewayError(.invalidRequest, message: "there are too many uses, or too long ones")
        }
        var members: [String: JSON] = [
            "pendingRefundToken": .string(token), "refundPreference": .string(preference.rawValue),
            "sampleContentProvided": .bool(isSampleProvided),
        ]
        members["consumptionPercentageMilliunits"] = percentage.map { .number(String($0)) }
        if !usages.isEmpty {
            members["consumptionUsageEvents"] = .array(
                usages.map {
                    .object([
                        "consumptionTime": .string(RFC3339.string(from: $0.at)),
                        "consumptionItemDescription": .string($0.description),
                    ])
                })
        }
        return .object(members)
    }
}

extension GooglePlay {
    /// Answers a request for review (`POST …/orders/{orderId}:reviewrefund`).
    ///
    /// Not repeated here: whether Google takes a second answer is not known.
    ///
    /// - Throws: ``GatewayError``.
    package func send(
        _ review: GooglePlayReview, about request: GooglePlayNotification.RefundReview
    ) async throws(GatewayError) {
        let call = GatewayCall(
            method: .post, path: ["orders", request.orderID.text], verb: "reviewrefund",
            body: try review.body(token: request.token), isUnrepeatable: true)
        _ = try await client.ask(.review, repeats: false) { attempt throws(GatewayError) in
            try await client.answer(to: call, of: .review, attempt)
        }
    }
}
