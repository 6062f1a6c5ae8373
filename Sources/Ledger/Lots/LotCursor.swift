import Foundation

/// Where a list of lots, by when they expire, goes on: after this lot.
package struct LotCursor: Sendable, Codable, Equatable {
    /// The last lot's expiry; that of a lot which never expires is beyond any other.
    package let expiresAt: CursorMoment
    /// The last lot's id.
    package let id: Int64

    init(after lot: Lot) {
        expiresAt = CursorMoment(lot.expiresAt ?? .endOfHistory)
        id = lot.id
    }

    var date: Date { expiresAt.date }
}
