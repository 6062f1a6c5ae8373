import Foundation
import Ledger

/// What finance wants closed.
struct CloseRequestBody: Decodable {
    let until: NonEmpty
}

/// A closing that was made.
struct ClosingBody: Encodable {
    let period: ClosedPeriodBody

    init(_ period: ClosedPeriod) { self.period = ClosedPeriodBody(period) }
}

/// A closing of the books.
struct ClosedPeriodBody: Encodable {
    let until: Date
    let closedBy: String
    let closedAt: Date

    enum CodingKeys: String, CodingKey {
        case until
        case closedBy = "closed_by"
        case closedAt = "closed_at"
    }

    init(_ period: ClosedPeriod) {
        until = period.until
        closedBy = period.closedBy
        closedAt = period.closedAt
    }
}
