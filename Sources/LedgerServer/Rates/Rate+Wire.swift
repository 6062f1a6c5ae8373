import CivilTime
package import Ledger
import LedgerWire

extension RateBody {
    init(_ rate: Rate) {
        self.init(
            currency: rate.currency.code, day: rate.day.description, status: "published", version: rate.version,
            rate: rate.quotation.text, per: rate.quotation.per, source: rate.source, setBy: rate.setBy,
            setAt: rate.setAt, approvedBy: rate.approvedBy, publishedAt: rate.publishedAt, withdrawnBy: nil)
    }

    /// - Parameter proposal: waiting or withdrawn; a published one is a rate.
    init(_ proposal: RateProposal) {
        self.init(
            currency: proposal.currency.code, day: proposal.day.description, status: proposal.status.rawValue,
            version: proposal.version, rate: proposal.quotation.text, per: proposal.quotation.per,
            source: proposal.source, setBy: proposal.proposedBy, setAt: proposal.proposedAt, approvedBy: nil,
            publishedAt: nil, withdrawnBy: proposal.decidedBy)
    }
}

/// The request to set a rate.
struct RateRequestBody: Decodable {
    let rate: NonEmpty
    let per: Int64
    let source: NonEmpty

    typealias CodingKeys = RateRequest.CodingKeys
}

/// The request to approve a rate.
struct RateApprovalRequestBody: Decodable {
    let rate: NonEmpty
    let per: Int64

    typealias CodingKeys = RateApprovalRequest.CodingKeys
}

extension ForeignCurrency {
    /// The currency of a part of the path or the query.
    package init(named code: String) throws(Problem) {
        do {
            try self.init(code)
        } catch {
            switch error {
            case .unknown: throw Problem(.unknownCurrency, "the currency must be a code of ISO 4217 in capital letters")
            case .functional: throw Problem(.currencyOfBooks)
            }
        }
    }
}
