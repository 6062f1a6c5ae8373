package import Foundation

/// Coins set aside for someone until they are captured, voided, or the time is up.
package struct Hold: Sendable, Equatable, Identifiable, Codable {
    /// Where it stands.
    package enum Status: String, Sendable, Codable, CaseIterable {
        /// Coins are still set aside.
        case open
        /// The last of its coins went to whom they were for, or were given up by whom they were for.
        case captured
        /// What was left went back to the wallet.
        case voided
        /// Its time was up, and what was left went back to the wallet.
        case expired
    }

    /// Our id of it.
    package let id: Int64
    /// Whose coins they are.
    package let user: UserID
    /// Where it stands.
    package var status: Status
    /// How many coins were set aside.
    package let coins: Int64
    /// How many of them went to whom they were for.
    package var captured: Int64
    /// How many of them went back to the wallet.
    package var released: Int64
    /// The caller's own name of what it is for.
    package let reference: String?
    /// When it was placed.
    package let placedAt: Date
    /// When what is left goes back by itself.
    package let expiresAt: Date
    /// When nothing was left.
    package var closedAt: Date?
    /// The journal entry that records its placing.
    package let journalEntryID: Int64

    /// How many coins are still set aside.
    package var remaining: Int64 { coins - captured - released }
}

/// Coins of one lot that a hold set aside.
struct HoldLot: Sendable, Equatable {
    let holdID: Int64
    /// Its place among the hold's lots: they are captured in that order.
    let place: Int64
    let lotID: Int64
    let coins: Int64
    /// How many of the coins are still set aside.
    var held: Int64
}
