import Foundation
package import Ledger
import TestSupport

/// An earnings file as Google Play writes it.
package struct EarningsFile: Sendable {
    package static let header =
        "Description,Transaction Date,Transaction Time,Tax Type,Transaction Type,Refund Type,Product Title,Product id,"
        + "Product Type,Sku Id,Hardware,Buyer Country,Buyer State,Buyer Postal Code,Buyer Currency,"
        + "Amount (Buyer Currency),Currency Conversion Rate,Merchant Currency,Amount (Merchant Currency)"

    private var rows: [String] = []

    package init() {}

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - kind: such as `Google fee refund`.
    ///   - day: as Google writes it, `Jan 3, 2026`.
    ///   - won: the amount as text; below zero: Google keeps it.
    ///   - paid: the same in the buyer's currency; nil: the same text.
    package mutating func add(
        _ order: String, _ kind: String, _ won: String, on day: String = "Jan 3, 2026", currency: String = "KRW",
        buyer: String = "KRW", paid: String? = nil
    ) {
        rows.append(
            "\(order),\"\(day)\",10:01:02 AM PDT,,\(kind),,100 coins,com.example,1,coins_100,phone,KR,,,\(buyer),\(paid ?? won),"
                + "1.000000,\(currency),\(won)")
    }

    /// The file with these rows: order, kind, amount.
    package init(_ rows: [(order: String, kind: String, won: String)]) {
        for row in rows { add(row.order, row.kind, row.won) }
    }

    package var text: String { ([Self.header] + rows).joined(separator: "\n") + "\n" }

    /// What is read of it, of a payout at the beginning of this day in Seoul.
    package func draft(
        paidOutOn day: String = "2026-02-15", named name: String = "PlayApps_202601.csv"
    ) throws
        -> SettlementFileDraft
    {
        let reader = EarningsFileReader(paidOutOn: day, in: sure(TimeZone(identifier: "Asia/Seoul")))
        return try sure(reader).read(Array(text.utf8), named: name)
    }
}
