extension WebhookEvent {
    /// The event of a verified notification of the App Store.
    ///
    /// A kind that is not about money, and one of the future, is not an error: acknowledge it.
    package init(_ notification: AppStoreNotification) {
        let type = [notification.kind.rawValue, notification.subtype].compactMap(\.self).joined(separator: ".")
        self.init(
            gateway: AppStore.name, eventID: notification.id, kind: Self.kind(of: notification.kind), type: type)
        paymentID = notification.transaction?.id.text
        merchantUID = notification.transaction?.receipt.merchantUID
        occurredAt = notification.signedAt
        guard notification.kind == .consumptionRequest else { return }
        questionToken = notification.id
        questionReason = notification.consumptionReason.map { String($0.prefix(100)) }
    }

    private static func kind(of kind: AppStoreNotification.Kind) -> Kind {
        switch kind {
        case .oneTimeCharge: .paid
        case .refund: .cancelled
        default: .other
        }
    }
}

extension WebhookError {
    /// Why a notification is refused.
    package init(_ error: SignedDataError) {
        switch error.code {
        case .malformed: self.init(.malformedBody, error.message)
        case .revocationUnknown: self.init(.unverifiable, error.message)
        case .badSignature, .signedLater, .revoked, .anotherApp, .anotherEnvironment:
            self.init(.badSignature, error.message)
        }
    }
}
