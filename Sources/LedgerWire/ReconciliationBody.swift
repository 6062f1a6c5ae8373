import CivilTime
public import Foundation

/// What is to be compared.
public struct ReconciliationRequest: Encodable, Hashable, Sendable {
    /// Where the period begins: an RFC 3339 time, or a day of the service's time zone.
    public var from: String
    /// Its end, which does not belong to it.
    public var to: String
    /// Whether to do what the gateway's word decides.
    public var heal: Bool

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case from, to, heal }

    /// Compares a period, told in times or days.
    public init(from: String, to: String, heal: Bool = false) {
        self.from = from
        self.to = to
        self.heal = heal
    }

    /// Compares a period.
    public init(_ period: Range<Date>, heal: Bool = false) {
        self.init(
            from: RFC3339.string(from: period.lowerBound), to: RFC3339.string(from: period.upperBound), heal: heal)
    }
}

/// A comparison of a period's payments at the gateways with the books.
public struct ReconciliationBody: Codable, Hashable, Sendable {
    /// Its id.
    public let id: Int64
    /// `running`, `completed` or `failed`.
    public let status: String
    /// What it is at, while it runs.
    public let stage: String?
    /// Where the period begins.
    public let from: Date
    /// Its end, which does not belong to it.
    public let to: Date
    /// Whether it does what the gateway's word decides.
    public let heal: Bool
    /// The day, `2026-11-20`, of a daily one.
    public let day: String?
    /// The gateways whose payments it compares.
    public let gateways: [String]
    /// How many payments there are of each kind.
    public let counts: [String: Int64]?
    /// How many are not compared yet, while it runs.
    public let unexamined: Int64?
    /// How many were set right.
    public let healed: Int64?
    /// How many differ after that.
    public let differences: Int64?
    /// What keeps it from going on.
    public let failure: String?
    /// When it began.
    public let startedAt: Date
    /// When it ended.
    public let endedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, status, stage, from, to, heal, day, gateways, counts, unexamined, healed, differences, failure
        case startedAt = "started_at"
        case endedAt = "ended_at"
    }

    /// Creates it of its members.
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
