/// The layout of a bank's file for bulk transfers (대량이체), which its internet banking for companies takes.
///
/// A layout is declared once, by its columns: another bank is another case.
package enum BankLayout: String, Sendable, CaseIterable {
    /// KB Kookmin Bank (KB국민은행).
    case kb
    /// Shinhan Bank (신한은행).
    case shinhan
    /// Industrial Bank of Korea (IBK기업은행).
    case ibk

    /// What a column has.
    enum Field: Sendable {
        case bank, account, net, holder
        /// What the receiver's statement shows: the payout.
        case receiverNote
        /// What our own statement shows: the provider.
        case ownNote
    }

    /// The columns in their order, each with its name.
    var columns: [(name: String, field: Field)] {
        switch self {
        case .kb:
            [
                ("입금은행", .bank), ("입금계좌번호", .account), ("이체금액", .net), ("예금주", .holder), ("받는통장표시", .receiverNote),
                ("내통장표시", .ownNote),
            ]
        case .shinhan:
            [
                ("입금은행", .bank), ("입금계좌", .account), ("예금주", .holder), ("입금액", .net), ("입금통장표시", .receiverNote),
                ("출금통장표시", .ownNote),
            ]
        case .ibk:
            [
                ("입금은행", .bank), ("입금계좌번호", .account), ("입금액", .net), ("수취인", .holder), ("입금통장표시내용", .receiverNote),
                ("출금통장표시내용", .ownNote),
            ]
        }
    }

    /// The most characters of what a statement shows.
    private static let longestNote = 10

    /// A row of the file, without its line end.
    ///
    /// Banks take account numbers without dashes and spaces.
    func row(_ item: PayoutItem, of payout: Int64, to account: BankAccount) -> [String] {
        columns.map { column in
            switch column.field {
            case .bank: account.bank
            case .account: account.digits
            case .net: String(item.net)
            case .holder: account.holder
            case .receiverNote: "정산 \(payout)"
            case .ownNote: String(item.provider.rawValue.prefix(Self.longestNote))
            }
        }
    }
}

extension Payouts {
    /// What a payout pays, in the layout of a bank: a CSV with a byte-order mark, one row for each provider who gets won.
    ///
    /// - Parameter accounts: the providers' accounts, which are not stored.
    package func file(
        of payout: Int64, in layout: BankLayout, _ accounts: PayoutAccounts
    ) async throws(LedgerError) -> Result<[UInt8], PayoutAccountsMissing> {
        let items = try await paidItems(of: payout).filter { $0.net > 0 }
        if let missing = accounts.missing(of: items) { return .failure(missing) }
        var out = ByteText()
        out.append([0xEF, 0xBB, 0xBF])
        out.append(record: layout.columns.map(\.name))
        for item in items {
            guard let account = accounts[item.provider] else { continue }
            out.append(record: layout.row(item, of: payout, to: account))
        }
        return .success(out.bytes)
    }
}

extension ByteText {
    fileprivate mutating func append(record fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { append(",") }
            append(field, .plain)
        }
        append("\r\n")
    }
}
