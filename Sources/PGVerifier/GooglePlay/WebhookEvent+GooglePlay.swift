extension WebhookEvent {
    /// The event of a verified notification of Google Play.
    ///
    /// A kind that is not about money, and one of the future, is not an error: acknowledge it.
    package init(_ notification: GooglePlayNotification) {
        let (kind, type) = Self.kind(of: notification.subject)
        self.init(gateway: GooglePlay.name, eventID: notification.id, kind: kind, type: type)
        if let token = notification.purchaseToken {
            paymentID = token.text
            merchantUID = Receipt.googlePlay(token).merchantUID
        }
        merchantPaymentID = notification.orderID?.text
        occurredAt = notification.occurredAt ?? notification.publishedAt
        // The same question can come in several messages: its own name tells them apart.
        guard case .refundReview(let review) = notification.subject, review.token.utf8.count <= Self.longestToken else {
            return
        }
        questionToken = review.token
        questionReason = review.reason.map { String($0) }
    }

    /// What an index can hold.
    private static let longestToken = 2000

    private static func kind(of subject: GooglePlayNotification.Subject) -> (Kind, type: String) {
        switch subject {
        case .purchase(let purchase): (kind(of: purchase.kind), "one_time.\(purchase.kind.rawValue)")
        case .voided(let voided):
            (kind(of: voided), "voided.\(voided.product.rawValue).\(voided.refund.rawValue)")
        case .refundReview: (.other, "refund_review")
        case .subscription(let type): (.other, "subscription.\(type ?? 0)")
        case .test: (.other, "test")
        case .other(let name): (.other, name)
        }
    }

    /// A purchase that was given up before it was paid is no refund.
    private static func kind(of kind: GooglePlayNotification.Purchase.Kind) -> Kind {
        switch kind {
        case .purchased: .paid
        case .pendingCancelled: .failed
        default: .other
        }
    }

    private static func kind(of voided: GooglePlayNotification.Voided) -> Kind {
        guard voided.product != .subscription else { return .other }
        return voided.refund == .partial ? .partiallyCancelled : .cancelled
    }
}

extension GooglePlayNotification {
    /// The purchase that it is about; nil: none of ours.
    fileprivate var purchaseToken: PurchaseToken? {
        switch subject {
        case .purchase(let purchase): purchase.token
        case .voided(let voided) where voided.product != .subscription: voided.token
        default: nil
        }
    }

    fileprivate var orderID: GooglePlayOrderID? {
        switch subject {
        case .voided(let voided) where voided.product != .subscription: voided.orderID
        case .refundReview(let review): review.orderID
        default: nil
        }
    }
}

extension WebhookError {
    /// Why a message is refused.
    package init(_ error: GooglePlayPushError) {
        switch error.code {
        case .missingToken, .malformedToken: self.init(.missingHeader, error.message)
        case .untimely: self.init(.untimely, error.message)
        case .badSignature, .anotherIssuer, .anotherAudience, .anotherSender, .anotherSubscription, .anotherApp:
            self.init(.badSignature, error.message)
        case .keysUnavailable: self.init(.unverifiable, error.message)
        case .malformedBody: self.init(.malformedBody, error.message)
        }
    }
}
