import Batching
package import Foundation

/// A part of a list, and whether more follows.
package struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
    /// The elements, in the list's order.
    package let elements: [Element]
    /// Where the next page starts; nil on the last one.
    package let next: Cursor?

    init(elements: [Element], next: Cursor?) {
        self.elements = elements
        self.next = next
    }

    /// Makes a page of at most `limit` elements out of up to one more than that.
    init(_ elements: [Element], limit: Int, cursor: ([Element]) -> Cursor?) {
        let hasMore = elements.count > limit
        self.elements = Array(elements.prefix(limit))
        self.next = hasMore ? cursor(self.elements) : nil
    }
}

/// The moments that a list is about: from one on, and before another.
package struct Period: Sendable, Equatable {
    /// The first moment that belongs to it.
    let from: Date
    /// The first moment after it.
    let to: Date

    /// All of history.
    package static let always = Period(from: nil, to: nil)

    /// The moments from one on and before another; nil: without that bound.
    package init(from: Date?, to: Date?) {
        self.from = from ?? .beginningOfHistory
        self.to = to ?? .endOfHistory
    }
}

/// A moment in a cursor, in microseconds since 1970.
///
/// Cursors come back from outside, and what comes back may have been changed: a moment that no list holds is no cursor's.
package struct CursorMoment: Sendable, Equatable, Codable {
    let date: Date

    /// The years 1 to 9999 of any time zone.
    private static let range: ClosedRange<Int64> = -62_135_683_200_000_000...253_402_387_200_000_000

    init(_ date: Date) { self.date = date }

    /// Reads it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let microseconds = try container.decode(Int64.self)
        guard Self.range.contains(microseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no moment of a list")
        }
        date = Date(microsecondsSince1970: microseconds)
    }

    /// Writes it.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.microsecondsSince1970)
    }
}

extension Lane {
    /// A user's own: whoever turns many pages at once takes turns with the others.
    static func user(_ user: UserID) -> Lane { Lane(share: "users", caller: user.rawValue) }
}
