import Foundation
package import Ledger
import TestSupport

/// A row of a gateway's statement, as a test would have it.
package struct GatewayPayout: Sendable {
    /// The payment's id, either of its two.
    package let payment: String
    /// What it is about, in won; below zero: of a refund.
    package let gross: Int64
    /// What the gateway keeps of it.
    package let fee: Int64
    /// The tax on that.
    package let tax: Int64
    /// The day in Seoul, `2026-11-20`.
    package let day: String

    /// A row of these.
    package init(_ payment: String, gross: Int64, fee: Int64, tax: Int64, on day: String) {
        self.payment = payment
        self.gross = gross
        self.fee = fee
        self.tax = tax
        self.day = day
    }
}

extension SettlementFileDraft {
    /// The statement with these rows, written as a CSV file and read again.
    package static func of(_ payouts: [GatewayPayout], named name: String) throws -> SettlementFileDraft {
        let lines = payouts.map {
            "\($0.payment),\($0.gross),\($0.fee),\($0.tax),\($0.gross - $0.fee - $0.tax),\($0.day)"
        }
        let text = "id,gross,fee,tax,net,day,of \(name)\n" + lines.joined(separator: ",\n") + ",\n"
        let mapping = try SettlementMapping(text: "payment_id=id,gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day")
        let days = sure(DayText(format: nil, in: sure(TimeZone(identifier: "Asia/Seoul"))))
        return try SettlementFileReader(mapping: mapping, days: days).read(Array(text.utf8), named: name)
    }

    /// A statement with these rows: payment, gross, fee, tax, day.
    package static func sample(
        _ rows: [(String, Int64, Int64, Int64, String)], named name: String = "a.csv"
    ) throws -> SettlementFileDraft {
        try .of(rows.map { GatewayPayout($0.0, gross: $0.1, fee: $0.2, tax: $0.3, on: $0.4) }, named: name)
    }
}
