import Ledger
import LedgerWire

/// What finance wants closed.
struct CloseRequestBody: Decodable {
    let until: NonEmpty

    typealias CodingKeys = CloseRequest.CodingKeys
}

extension ClosedPeriodBody {
    /// What clients read of a closing.
    init(_ period: ClosedPeriod) {
        self.init(until: period.until, closedBy: period.closedBy, closedAt: period.closedAt)
    }
}

extension ClosingBody {
    /// What clients read of what closing came to.
    init(_ period: ClosedPeriod) { self.init(period: ClosedPeriodBody(period)) }
}
