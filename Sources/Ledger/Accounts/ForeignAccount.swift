import Postgres

/// An account of a foreign currency.
///
/// Every stripe has one of each, from when the first rate of the currency is published (docs/decisions/0223). The accounts in the
/// currency balance each other, and ``carrying(_:)`` has the same in won.
package enum ForeignAccount: Hashable, Sendable {
    /// What a gateway owes in the currency: the account is that of its won.
    case receivable(SystemAccount, ForeignCurrency)
    /// The mirror of all that is open in the currency.
    case clearing(ForeignCurrency)
    /// What is open in the currency at its carrying amount, in won.
    case carrying(ForeignCurrency)
    /// What came for payments above their carrying amounts, in won.
    case gain(ForeignCurrency)
    /// What came for payments below their carrying amounts, in won.
    case loss(ForeignCurrency)
    /// By how much what is open is worth more at a month's end than its carrying amount, in won.
    case unrealised(ForeignCurrency)

    /// The name in reports, such as `app-store:receivable:USD`.
    package var name: String {
        switch self {
        case .receivable(let account, let currency): "\(account.rawValue):\(currency.code)"
        case .clearing(let currency): "\(Self.clearingName):\(currency.code)"
        case .carrying(let currency): "\(Self.clearingName):\(currency.code):\(Currency.won.code)"
        case .gain(let currency): "\(Self.gainName):\(currency.code)"
        case .loss(let currency): "\(Self.lossName):\(currency.code)"
        case .unrealised(let currency): "\(Self.unrealisedName):\(currency.code)"
        }
    }

    /// What the account counts.
    package var currency: Currency {
        switch self {
        case .receivable(_, let currency), .clearing(let currency): Currency(currency)
        case .carrying, .gain, .loss, .unrealised: .won
        }
    }

    /// The side that increases the balance.
    package var normalSide: Side {
        switch self {
        case .receivable, .carrying, .loss: .debit
        case .clearing, .gain, .unrealised: .credit
        }
    }

    /// The account with this name; nil: there is none.
    package init?(_ name: String) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, let currency = try? ForeignCurrency(parts[2]) else { return nil }
        let (start, rest) = (parts[...1].joined(separator: ":"), parts[3...])
        switch (start, Array(rest)) {
        case (Self.clearingName, []): self = .clearing(currency)
        case (Self.clearingName, [Currency.won.code]): self = .carrying(currency)
        case (Self.gainName, []): self = .gain(currency)
        case (Self.lossName, []): self = .loss(currency)
        case (Self.unrealisedName, []): self = .unrealised(currency)
        case (_, []):
            guard let account = SystemAccount(rawValue: start), SystemAccount.receivables.contains(account) else {
                return nil
            }
            self = .receivable(account, currency)
        default: return nil
        }
    }

    /// All accounts of a currency.
    static func all(of currency: ForeignCurrency) -> [ForeignAccount] {
        SystemAccount.receivables.map { .receivable($0, currency) } + [
            .clearing(currency), .carrying(currency), .gain(currency), .loss(currency), .unrealised(currency),
        ]
    }

    /// What a purchase at a gateway posts to.
    static func ofPurchase(at gateway: String, in currency: ForeignCurrency) -> [ForeignAccount] {
        [.receivable(.receivable(of: gateway), currency), .clearing(currency), .carrying(currency)]
    }

    /// What a settlement of a payment at a gateway posts to.
    static func ofSettlement(at gateway: String, in currency: ForeignCurrency) -> [ForeignAccount] {
        ofPurchase(at: gateway, in: currency) + [.gain(currency), .loss(currency)]
    }

    private static let clearingName = "fx:clearing"
    private static let gainName = "fx:gain"
    private static let lossName = "fx:loss"
    private static let unrealisedName = "fx:unrealised"
}

extension ForeignAccount {
    /// SQL: the accounts of all open currencies, as rows of their name, currency and normal side.
    static let chartInSQL = """
        SELECT account.name, account.currency, account.normal_side
        FROM foreign_currency
        CROSS JOIN LATERAL (VALUES
            \((SystemAccount.receivables.map { "('\($0.rawValue):' || code, code, 'D')" }).joined(separator: ", ")),
            ('\(clearingName):' || code, code, 'C'),
            ('\(clearingName):' || code || ':\(Currency.won.code)', '\(Currency.won.code)', 'D'),
            ('\(gainName):' || code, '\(Currency.won.code)', 'C'),
            ('\(lossName):' || code, '\(Currency.won.code)', 'D'),
            ('\(unrealisedName):' || code, '\(Currency.won.code)', 'C')
        ) AS account (name, currency, normal_side)
        """

    /// SQL: whether the name of an account is that of won that are carried for a foreign currency.
    static func isCarrying(_ name: String) -> String {
        "\(name) LIKE '\(clearingName):___:\(Currency.won.code)'"
    }

    /// SQL: whether the name of an account is that of the mirror of what is open in a foreign currency.
    static func isClearing(_ name: String) -> String { "\(name) LIKE '\(clearingName):___'" }

    /// SQL: the name of the account of won that are carried for a currency.
    static func carryingInSQL(of currency: String) -> String {
        "'\(clearingName):' || \(currency) || ':\(Currency.won.code)'"
    }
}

extension Currency {
    /// A foreign currency as the unit of an amount.
    package init(_ foreign: ForeignCurrency) { self.init(code: foreign.code) }
}

extension AccountCode {
    /// The code of an account of a foreign currency in a stripe.
    static func foreign(_ account: ForeignAccount, _ stripe: Stripe) -> AccountCode {
        AccountCode(rawValue: "\(account.name)/\(stripe.number)")
    }

    /// Whether it is of won that are carried for a foreign currency.
    var isCarrying: Bool {
        guard case .carrying? = ForeignAccount(BookAccount.withoutStripe(rawValue)) else { return false }
        return true
    }
}

/// The accounts of won that are carried for one foreign currency, in all stripes.
struct CarryingAccounts: Sendable {
    let name: String
    let ids: [Int64]
    /// In won.
    let balance: Int64

    /// Those of all open currencies, each account looked up by its code.
    static let all = PostgresQuery<[CarryingAccounts]>(
        """
        SELECT carried.name, array_agg(account.id), coalesce(sum(account.balance), 0)::bigint
        FROM (SELECT \(ForeignAccount.carryingInSQL(of: "code")) AS name FROM foreign_currency) AS carried
        CROSS JOIN (SELECT generate_series(0, stripes - 1) AS stripe FROM ledger) AS number
        CROSS JOIN LATERAL (
            SELECT id, balance FROM account WHERE account.code = carried.name || '/' || number.stripe OFFSET 0
        ) AS account
        GROUP BY carried.name ORDER BY carried.name
        """
    ) { row in CarryingAccounts(name: try row[0], ids: try row[1], balance: try row[2]) }
}
