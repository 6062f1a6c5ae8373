import Batching
package import Foundation

/// A page of a list.
package struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
    /// The elements, in the list's order.
    package let elements: [Element]
    /// Where the next page begins; nil: this is the last page.
    package let next: Cursor?

    init(elements: [Element], next: Cursor?) {
        self.elements = elements
        self.next = next
    }

    /// Makes a page of at most `limit` elements from up to `limit` + 1.
    init(_ elements: [Element], limit: Int, cursor: ([Element]) -> Cursor?) {
        let hasMore = elements.count > limit
        self.elements = Array(elements.prefix(limit))
        self.next = hasMore ? cursor(self.elements) : nil
    }
}

/// Where the next page of a list begins: after this element.
package struct After<ID: Codable & Equatable & Sendable>: Sendable, Codable, Equatable {
    /// The last element's id.
    package let id: ID
}

extension Page where Element: Identifiable, Cursor == After<Element.ID> {
    /// Makes a page of at most `limit` elements from up to `limit` + 1.
    init(_ elements: [Element], limit: Int) {
        self.init(elements, limit: limit) { shown in shown.last.map { After(id: $0.id) } }
    }
}

/// A period of time, from a moment on and before another.
package struct Period: Sendable, Equatable {
    /// The first moment of the period.
    let from: Date
    /// The first moment after the period.
    let to: Date

    /// All of history.
    package static let always = Period(from: nil, to: nil)

    /// The period from a moment on and before another; nil: no limit on that side.
    package init(from: Date?, to: Date?) {
        self.from = from ?? .beginningOfHistory
        self.to = to ?? .endOfHistory
    }
}

/// A moment in a cursor, in microseconds since 1970.
///
/// Clients send cursors back and may change them, so a moment out of range is refused.
package struct CursorMoment: Sendable, Equatable, Codable {
    let date: Date

    /// As it is encoded.
    package var microseconds: Int64 { date.microsecondsSince1970 }

    /// The years 1 to 9999 of any time zone.
    private static let range: ClosedRange<Int64> = -62_135_683_200_000_000...253_402_387_200_000_000

    init(_ date: Date) { self.date = date }

    /// Decodes microseconds.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let microseconds = try container.decode(Int64.self)
        guard Self.range.contains(microseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a moment of a list")
        }
        date = Date(microsecondsSince1970: microseconds)
    }

    /// Encodes microseconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension Lane {
    /// A user's lane, so that a user who reads many pages takes turns with the others.
    static func user(_ user: UserID) -> Lane { Lane(share: "users", caller: user.rawValue) }
}
