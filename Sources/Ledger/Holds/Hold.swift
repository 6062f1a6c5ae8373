package import Foundation

/// Coins that are reserved until the hold is captured, voided or expired.
package struct Hold: Sendable, Equatable, Identifiable, Codable {
    package enum Status: String, Sendable, Codable, CaseIterable {
        /// Coins are still held.
        case open
        /// The last coins were captured, or the rest was released by a final capture.
        case captured
        /// The rest was released to the wallet.
        case voided
        /// The hold expired, and the rest was released to the wallet.
        case expired
    }

    package let id: Int64
    package let user: UserID
    package var status: Status
    /// The coins held at first.
    package let coins: Int64
    /// The coins captured.
    package var captured: Int64
    /// The coins released to the wallet.
    package var released: Int64
    /// The caller's reference, such as an order number.
    package let reference: String?
    package let placedAt: Date
    /// When the rest is released to the wallet automatically.
    package let expiresAt: Date
    /// When the hold was closed; nil: it is open.
    package var closedAt: Date?
    /// The journal entry that placed the hold.
    package let journalEntryID: Int64

    /// The coins still held.
    package var remaining: Int64 { coins - captured - released }
}

/// A hold's coins of one lot.
struct HoldLot: Sendable, Equatable {
    let holdID: Int64
    /// The place of the lot in the hold.
    ///
    /// Lots are captured in this order.
    let place: Int64
    let lotID: Int64
    let coins: Int64
    /// The coins of this lot that are still held.
    var held: Int64
}
