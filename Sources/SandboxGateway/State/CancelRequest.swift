import FoundationEssentials

/// What `POST /payments/cancel` asks for.
///
/// An amount of 0 cancels everything that is left.
struct CancelRequest: Sendable {
    let impUID: String?
    let merchantUID: String?
    let amount: Decimal
    let checksum: Decimal?
    let reason: String?
    let sendsWebhook: Bool
}
