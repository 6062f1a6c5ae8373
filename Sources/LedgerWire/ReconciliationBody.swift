import CivilTime
public import Foundation

/// A request for a reconciliation.
public struct ReconciliationRequest: Codable, Hashable, Sendable {
    /// The start of the period: an RFC 3339 time, or a day of the service's time zone, which means its first moment.
    public var from: Member.Moment
    /// The end of the period, exclusive; a date means its first moment.
    public var to: Member.Moment
    /// Whether to fix the differences that the gateway's records settle.
    ///
    /// - Default: `false`
    public var heal: Bool

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case from, to, heal }

    /// Creates a request for a period in times or days.
    public init(from: String, to: String, heal: Bool = false) {
        self.from = from
        self.to = to
        self.heal = heal
    }

    /// Creates a request for a period.
    public init(_ period: Range<Date>, heal: Bool = false) {
        self.init(
            from: RFC3339.string(from: period.lowerBound), to: RFC3339.string(from: period.upperBound), heal: heal)
    }
}

/// A reconciliation: a comparison of a period's payments at the gateways with the books.
public struct ReconciliationBody: Codable, Hashable, Sendable {
    /// The id of the reconciliation.
    public let id: Member.ID
    /// `running`, `completed`, or `failed`: it was given up after repeated failures.
    ///
    /// - Values: `running`, `completed`, `failed`
    public let status: String
    /// The current stage, while it runs.
    public let stage: String?
    /// The start of the period.
    public let from: Date
    /// The end of the period, exclusive.
    public let to: Date
    /// Whether it fixes the differences that the gateway's records settle.
    public let heal: Bool
    /// The day of a daily run.
    public let day: String?
    /// The gateways of the run.
    public let gateways: [String]
    /// The number of payments of each kind.
    ///
    /// - Keys: `matched`, `paid_not_credited`, `credited_not_paid`, `amount_differs`, `cancelled_not_clawed_back`,
    ///   `refunded_not_cancelled`, `refunded_twice`, `waiting`
    /// - Further keys: `won_not_given_back`, `unreadable`
    public let counts: [String: Int64]?
    /// The number of payments that are not compared yet, while it runs.
    public let unexamined: Int64?
    /// The number of fixed differences.
    public let healed: Int64?
    /// The number of remaining differences.
    public let differences: Int64?
    /// The reason why the run is blocked.
    public let failure: String?
    /// When the run started.
    public let startedAt: Date
    /// When the run ended.
    public let endedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, status, stage, from, to, heal, day, gateways, counts, unexamined, healed, differences, failure
        case startedAt = "started_at"
        case endedAt = "ended_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, status: String, stage: String?, from: Date, to: Date, heal: Bool, day: String?,
        gateways: [String], counts: [String: Int64]?, unexamined: Int64?, healed: Int64?, differences: Int64?,
        failure: String?, startedAt: Date, endedAt: Date?
    ) {
        self.id = id
        self.status = status
        self.stage = stage
        self.from = from
        self.to = to
        self.heal = heal
        self.day = day
        self.gateways = gateways
        self.counts = counts
        self.unexamined = unexamined
        self.healed = healed
        self.differences = differences
        self.failure = failure
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}

extension ReconciliationBody: ListedBody {
    /// `reconciliations`.
    public static let listName = "reconciliations"
}
