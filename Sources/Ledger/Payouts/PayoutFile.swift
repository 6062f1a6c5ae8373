import Postgres

/// Providers of a payout without a bank account in the list of accounts.
package struct PayoutAccountsMissing: Error, Sendable, Equatable {
    package let providers: [UserID]
}

/// Providers for whom a list has another account than the one on which two people agreed, also if that one was erased.
package struct PayoutAccountsDiffer: Error, Sendable, Equatable {
    package let providers: [UserID]
}

extension Payouts {
    /// The bank accounts for a payout's file: those in force of its providers, and those of a list for providers of whom none
    /// was ever approved.
    package func accounts(
        of payout: Int64, and list: PayoutAccounts?
    ) async throws(LedgerError) -> Result<PayoutAccounts, PayoutAccountsDiffer> {
        let providers = try await paidItems(of: payout).map(\.provider)
        let agreed = try await reading { try await pools.reads.run(ProviderAccount.agreed(of: providers)) }
        do throws(PayoutAccountsDiffer) {
            return .success(try PayoutAccounts.agreed(agreed, and: list))
        } catch {
            return .failure(error)
        }
    }

    /// What a payout pays as CSV (RFC 4180), one row for each provider: a list for the bank's transfers.
    ///
    /// - Parameter accounts: the providers' bank accounts; nil: a file without them.
    package func file(
        of payout: Int64, _ accounts: PayoutAccounts? = nil, _ style: CSVStyle = .plain
    ) async throws(LedgerError) -> Result<[UInt8], PayoutAccountsMissing> {
        let items = try await paidItems(of: payout)
        if let missing = accounts?.missing(of: items) { return .failure(missing) }
        var out = ByteText()
        if style.hasByteOrderMark { out.append([0xEF, 0xBB, 0xBF]) }
        out.append("payout_id,provider,amount,income_tax,local_tax,net")
        out.append(accounts == nil ? "\r\n" : ",bank,account,holder\r\n")
        for item in items {
            out.append("\(payout),")
            out.append(item.provider.rawValue, style)
            out.append(",\(item.amount),\(item.incomeTax),\(item.localTax),\(item.net)")
            if let account = accounts?[item.provider] {
                for text in [account.bank, account.number, account.holder] {
                    out.append(",")
                    out.append(text, style)
                }
            }
            out.append("\r\n")
        }
        return .success(out.bytes)
    }

    /// All of a payout's providers.
    func paidItems(of payout: Int64) async throws(LedgerError) -> [PayoutItem] {
        try await reading {
            try await pools.reads.run(PayoutItem.list(of: payout, after: nil, limit: Self.mostItems))
        }
    }

    /// The most providers of a payout, a rule of the database.
    private static let mostItems = 1000
}

extension PayoutAccounts {
    /// The providers of these who have no account; nil: all have one.
    func missing(of items: [PayoutItem]) -> PayoutAccountsMissing? {
        let missing = items.map(\.provider).filter { self[$0] == nil }
        return missing.isEmpty ? nil : PayoutAccountsMissing(providers: missing)
    }
}

extension ByteText {
    mutating func append(_ text: String, _ style: CSVStyle) {
        Array(text.utf8).withUnsafeBytes { append(csv: $0, isForExcel: style.isForExcel) }
    }
}
