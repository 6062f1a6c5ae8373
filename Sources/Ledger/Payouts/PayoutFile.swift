import Postgres

extension Payouts {
    /// What a payout pays as CSV (RFC 4180), one row for each provider: a list for the bank's transfers.
    ///
    /// ledgerd does not know bank accounts; finance adds them by the provider's id.
    package func file(of payout: Int64) async throws(LedgerError) -> [UInt8] {
        let items = try await reading {
            try await pools.reads.run(PayoutItem.list(of: payout, after: nil, limit: Self.mostItems))
        }
        var out = ByteText()
        out.append("payout_id,provider,amount,income_tax,local_tax,net\r\n")
        for item in items {
            out.append("\(payout),")
            Array(item.provider.rawValue.utf8).withUnsafeBytes { out.append(csv: $0) }
            out.append(",\(item.amount),\(item.incomeTax),\(item.localTax),\(item.net)\r\n")
        }
        return out.bytes
    }

    /// The most providers of a payout, a rule of the database.
    private static let mostItems = 1000
}
