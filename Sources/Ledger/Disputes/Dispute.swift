package import Foundation

/// A buyer's dispute of a credited payment, as the gateway shows it.
package struct Dispute: Sendable, Equatable, Identifiable, Codable {
    /// What became of a dispute.
    package enum Status: String, Sendable, CaseIterable, Codable {
        /// Not decided: the money can be gone.
        case open
        /// The money stays with the shop.
        case won
        /// The buyer has the money back.
        case lost
    }

    package let id: Int64
    package let purchaseID: Int64
    /// The user of the purchase.
    package let user: UserID
    package internal(set) var status: Status = .open
    /// The payment company's id of the dispute; nil: not reported.
    package let gatewayID: String?
    /// When it began, by the gateway's clock.
    ///
    /// It identifies the dispute of a payment, because not every dispute has an id.
    package let openedAt: Date
    /// The buyer's reason, in the gateway's words.
    package let reason: String
    package let recordedAt: Date
    /// When it was won or lost; nil: it is open.
    package internal(set) var decidedAt: Date?
    /// Whether a person booked it as lost, also if the gateway has cancelled nothing; nil: not booked by a person.
    var isBookedAsLost: Bool?
    /// Whether the gateway's record resolved it while the payment stood, before or after a person booked it as lost; nil:
    /// it did not.
    var isResolvedAtGateway: Bool?

    /// Whether a person can decide it for the shop: it is open, or a person booked it as lost.
    package var mayBeWon: Bool { status == .open || status == .lost && isBookedAsLost == true }
}

/// The gateway decided a dispute for the shop after a person had booked it as lost.
///
/// The database makes a finding of it.
struct DisputeWin: Sendable, Equatable {
    let disputeID: Int64
    /// When the gateway resolved it.
    let resolvedAt: Date
    let recordedAt: Date
}

/// A dispute in the gateway's record of a payment.
package struct ReportedDispute: Sendable, Hashable {
    package let gatewayID: String?
    package let openedAt: Date
    package let reason: String
    /// Whether the gateway says that the dispute is over.
    package let isResolved: Bool
    /// When it was resolved; nil: not reported.
    package let resolvedAt: Date?

    package init(gatewayID: String? = nil, openedAt: Date, reason: String, isResolved: Bool, resolvedAt: Date? = nil) {
        self.gatewayID = gatewayID
        self.openedAt = openedAt
        self.reason = reason
        self.isResolved = isResolved
        self.resolvedAt = resolvedAt
    }
}

/// How a dispute ended.
///
/// A decision never changes. The database applies it to the dispute.
struct DisputeDecision: Sendable, Equatable {
    /// The dispute after the decision.
    let dispute: Dispute
    /// The caller that decided and the reason; nil: it followed from the gateway's record of the payment.
    var caller: (by: String, reason: String)?
    /// The won that a lost dispute took back although the gateway cancelled nothing, or that one gave back which is won
    /// after it; and the entry.
    var moved: (amount: Int64, journalEntryID: Int64)?
    let recordedAt: Date

    static func == (one: DisputeDecision, other: DisputeDecision) -> Bool {
        one.dispute == other.dispute && one.caller?.by == other.caller?.by
            && one.caller?.reason == other.caller?.reason && one.moved?.amount == other.moved?.amount
            && one.moved?.journalEntryID == other.moved?.journalEntryID
    }
}

/// Coins of a disputed purchase that a journal entry froze or released.
struct CoinFreeze: Sendable, Equatable {
    enum Act: String, Sendable {
        case hold, release
    }

    let journalEntryID: Int64
    let purchaseID: Int64
    let act: Act
    let coins: Int64
    let bonusCoins: Int64
}

/// The coins of a purchase that are frozen now.
struct FrozenCoins: Sendable, Equatable {
    var paid: Int64 = 0
    var bonus: Int64 = 0
}
