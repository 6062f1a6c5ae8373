import CivilTime
public import Foundation

/// What finance wants closed.
public struct CloseRequest: Encodable, Hashable, Sendable {
    /// Everything effective before it: an RFC 3339 time, or a day of the service's time zone.
    public var until: String

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case until }

    /// Closes everything before a time, or before a day began.
    public init(until: String) { self.until = until }

    /// Closes everything before a moment.
    public init(until moment: Date) { until = RFC3339.string(from: moment) }
}

/// A closing of the books.
public struct ClosedPeriodBody: Codable, Hashable, Sendable {
    /// Everything effective before it is closed.
    public let until: Date
    /// Who closed it.
    public let closedBy: String
    /// When it was closed.
    public let closedAt: Date

    private enum CodingKeys: String, CodingKey {
        case until
        case closedBy = "closed_by"
        case closedAt = "closed_at"
    }

    /// Creates it of its members.
    public init(
        until: Date, closedBy: String, closedAt: Date
    ) {
        self.until = until
        self.closedBy = closedBy
        self.closedAt = closedAt
    }
}

extension ClosedPeriodBody: ListedBody {
    /// `periods`.
    public static let listName = "periods"
}

/// What closing came to.
public struct ClosingBody: Codable, Hashable, Sendable {
    /// The closing, made now or before.
    public let period: ClosedPeriodBody

    /// Creates it of its members.
    public init(
        period: ClosedPeriodBody
    ) {
        self.period = period
    }
}
