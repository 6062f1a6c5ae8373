import CivilTime
public import Foundation

/// A request to close a period.
public struct CloseRequest: Codable, Hashable, Sendable {
    /// Everything effective before this moment is closed: an RFC 3339 time, or a day of the service's time zone, which
    /// means its first moment.
    public var until: Member.Moment

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case until }

    /// Closes everything before a time, or before the start of a day.
    public init(until: String) { self.until = until }

    /// Closes everything before a moment.
    public init(until moment: Date) { until = RFC3339.string(from: moment) }
}

/// A closing of the books.
public struct ClosedPeriodBody: Codable, Hashable, Sendable {
    /// Everything effective before this moment is closed.
    public let until: Date
    /// Who closed the period.
    public let closedBy: String
    /// When the period was closed.
    public let closedAt: Date

    private enum CodingKeys: String, CodingKey {
        case until
        case closedBy = "closed_by"
        case closedAt = "closed_at"
    }

    /// Creates it from its members.
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

/// A closing that was made.
public struct ClosingBody: Codable, Hashable, Sendable {
    /// The closing, new or existing.
    public let period: ClosedPeriodBody

    /// Creates it from its members.
    public init(
        period: ClosedPeriodBody
    ) {
        self.period = period
    }
}
