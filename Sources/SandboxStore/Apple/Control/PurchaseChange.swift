import FoundationEssentials
import SandboxSupport

/// What happens to a purchase after it was made, by hand.
struct PurchaseChange: Sendable {
    enum Act: String, Sendable, CaseIterable {
        case refund
        case reverseRefund = "reverse_refund"
        case declineRefund = "decline_refund"
        case askConsumption = "ask_consumption"
        /// A family member's share ends.
        case revoke
        /// The app finishes the transaction on the device.
        case finish
        /// Only a notification, of any type.
        case announce
    }

    let isAnnounced: Bool
    private let act: Act
    private let percentage: Int?
    private let reason: Int
    private let isLegacy: Bool
    private let consumptionReason: String?
    private let type: String?
    private let subtype: String?

    static let whole = 100_000

    init(_ body: JSONValue) throws(ControlError) {
        let members = try ControlMembers(
            body,
            known: [
                "act", "percentage", "reason", "legacy", "consumption_reason", "type", "subtype", "notify",
            ])
        guard let act = try members.choice("act", of: Act.self) else {
            throw ControlError(.badRequest, "act", "is missing")
        }
        self.act = act
        percentage = try members.integer("percentage", in: 1...Self.whole)
        reason = try members.integer("reason", in: 0...1000) ?? 0
        isLegacy = try members.flag("legacy") ?? false
        consumptionReason = try members.text("consumption_reason")
        type = try members.text("type")
        subtype = try members.text("subtype")
        isAnnounced = try members.flag("notify") ?? true
        if act == .announce, type == nil { throw ControlError(.badRequest, "type", "is missing") }
    }

    /// Changes the transaction; `sequence` is the place of the change.
    ///
    /// - Throws: ``ControlError`` for an impossible change.
    func apply(to transaction: inout AppleTransaction, sequence: Int, now: Date) throws(ControlError) {
        switch act {
        case .refund:
            let percentage = percentage ?? Self.whole
            transaction.revocation = .init(
                date: now, reason: reason,
                type: isLegacy ? nil : percentage == Self.whole ? "REFUND_FULL" : "REFUND_PRORATED",
                percentage: isLegacy ? nil : percentage, sequence: sequence)
        case .revoke:
            transaction.revocation = .init(
                date: now, reason: reason, type: "FAMILY_REVOKE", percentage: nil, sequence: sequence)
        case .reverseRefund:
            guard transaction.revocation != nil else { throw ControlError(.conflict, "act", "requires a refund") }
            transaction.revocation = nil
        case .finish: transaction.finishedAt = transaction.finishedAt ?? now
        case .declineRefund, .askConsumption, .announce: break
        }
    }

    /// What the App Store tells of it; nil for nothing.
    func content(of transaction: AppleTransaction) -> NotificationContent? {
        let type: String? =
            switch act {
            case .refund: "REFUND"
            case .reverseRefund: "REFUND_REVERSED"
            case .declineRefund: "REFUND_DECLINED"
            case .askConsumption: "CONSUMPTION_REQUEST"
            case .revoke: "REVOKE"
            case .announce: self.type
            case .finish: nil
            }
        guard let type else { return nil }
        return NotificationContent(
            type: type, subtype: subtype, environment: transaction.environment, transaction: transaction,
            consumptionReason: act == .askConsumption ? consumptionReason ?? "UNINTENDED_PURCHASE" : nil)
    }
}
