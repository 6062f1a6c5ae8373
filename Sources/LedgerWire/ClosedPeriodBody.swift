import CivilTime
public import Foundation

/// A request to close a period.
public struct CloseRequest: Codable, Hashable, Sendable {
    /// The end of the period, exclusive: an RFC 3339 time, or a day of the service's time zone.
    public var until: String

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case until }

    /// Closes everything before a time, or before the start of a day.
    public init(until: String) { self.until = until }

    /// Closes everything before a moment.
    public init(until moment: Date) { until = RFC3339.string(from: moment) }
}

/// A closing of the books.
public struct ClosedPeriodBody: Codable, Hashable, Sendable {
    /// The moment before which everything is closed.
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

/// The response to a closing.
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
