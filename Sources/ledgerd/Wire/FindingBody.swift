import Foundation
import Ledger

/// A payment that the books can't follow by themselves.
struct FindingBody: Encodable {
    let id: Int64
    let kind: String
    let gateway: String
    let impUID: String
    let merchantUID: String
    let paymentID: String?
    let user: String?
    let amount: Int64
    let currency: String
    let foundAt: Date

    enum CodingKeys: String, CodingKey {
        case id, kind, gateway, user, amount, currency
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case foundAt = "found_at"
    }

    init(_ finding: Finding) {
        id = finding.id
        kind = finding.kind.rawValue
        gateway = finding.payment.gateway
        impUID = finding.payment.impUID
        merchantUID = finding.payment.merchantUID
        paymentID = finding.payment.paymentID
        user = finding.user?.rawValue
        amount = finding.amount
        currency = finding.currency
        foundAt = finding.foundAt
    }
}
