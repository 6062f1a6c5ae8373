public import Foundation

/// What is outstanding, by the age of the payments.
public struct OutstandingAgesBody: Codable, Hashable, Sendable {
    /// The moment of the ages.
    public let asOf: Date
    /// The ages, youngest first: 0–2, 3–7, 8–30 and more days.
    ///
    /// - Count: `4...4`
    public let ages: [OutstandingAgeBody]

    private enum CodingKeys: String, CodingKey {
        case ages
        case asOf = "as_of"
    }

    /// Creates it from its members.
    public init(asOf: Date, ages: [OutstandingAgeBody]) {
        self.asOf = asOf
        self.ages = ages
    }
}

/// The outstanding payments of an age.
public struct OutstandingAgeBody: Codable, Hashable, Sendable {
    /// The whole days since the payment, from this one on.
    public let fromDays: Member.Natural
    /// Up to this day; nil: without an end.
    public let toDays: Member.Natural?
    /// The number of payments.
    public let payments: Member.Natural
    /// The amount that the gateway owes, in won; negative: the amount that it is owed.
    public let outstanding: Int64

    private enum CodingKeys: String, CodingKey {
        case payments, outstanding
        case fromDays = "from_days"
        case toDays = "to_days"
    }

    /// Creates it from its members.
    public init(fromDays: Int64, toDays: Int64?, payments: Int64, outstanding: Int64) {
        self.fromDays = fromDays
        self.toDays = toDays
        self.payments = payments
        self.outstanding = outstanding
    }
}
