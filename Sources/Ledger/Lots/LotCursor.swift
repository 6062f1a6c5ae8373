import Foundation

/// Where a list of lots, by when they expire, goes on: after this lot.
public struct LotCursor: Sendable, Codable, Equatable {
    /// The last lot's expiry, in microseconds since 1970; that of a lot which never expires is beyond any other.
    public let expiresAt: Int64
    /// The last lot's id.
    public let id: Int64

    init(after lot: Lot) {
        expiresAt = (lot.expiresAt ?? .endOfHistory).microsecondsSince1970
        id = lot.id
    }

    var date: Date { Date(microsecondsSince1970: expiresAt) }
}
