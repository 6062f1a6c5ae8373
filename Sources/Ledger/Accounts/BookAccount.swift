/// An account as people read it: one of the ledger's own over all stripes, or all accounts of a kind of users or providers.
///
/// Its name in each language and its place in the books are declared here, once.
package struct BookAccount: Sendable {
    /// Where an account stands in the books.
    package enum Group: String, CaseIterable, Sendable {
        case assets, liabilities, revenue, costs, coins
    }

    /// The name in reports, such as `coins:issued` or `wallet:paid`.
    package let name: String
    package let currency: Currency
    package let normalSide: Side
    package let group: Group
    package let english: String
    package let korean: String
    /// Whether it has a list of postings: accounts of users have one for each user.
    package let hasPostings: Bool

    /// All accounts, in the order of the books.
    package static let all = SystemAccount.allCases.map(BookAccount.init) + ofPeople

    /// The account with this name in reports; nil: there is none.
    package static func named(_ name: String) -> BookAccount? {
        byName[name] ?? ForeignAccount(name).map(BookAccount.init)
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The account of the code of one account, such as `coins:issued/3` or `wallet:ann:paid`; nil: there is none.
    package static func holding(_ code: String) -> BookAccount? {
        let parts = code.split(separator: ":", omittingEmptySubsequences: false)
        if let first = parts.first, let last = parts.last, first == "wallet" || first == "held" {
            return named("\(first):\(last)")
        }
        if let first = parts.first, ["debt", "earnings", "payable"].contains(first), parts.count > 1 {
            return named(String(first))
        }
        return named(Self.withoutStripe(code))
    }

    /// Whether an account of this name has a part in each stripe: those of the ledger and of providers, and not those of
    /// users.
    package static func isStriped(_ name: String) -> Bool {
        !["wallet:", "held:", "debt:"].contains { name.hasPrefix($0) }
    }

    /// The code of an account without its stripe, as reports have it.
    package static func withoutStripe(_ code: String) -> String {
        guard isStriped(code), let slash = code.lastIndex(of: "/") else { return code }
        let stripe = code[slash...].dropFirst()
        guard !stripe.isEmpty, stripe.allSatisfy({ $0.isASCII && $0.isNumber }) else { return code }
        return String(code[..<slash])
    }

    /// An account of a foreign currency.
    package init(_ account: ForeignAccount) {
        let (group, english, korean) = account.title
        self.init(account.name, account.currency, account.normalSide, group, english, korean, hasPostings: true)
    }

    private init(_ account: SystemAccount) {
        let (group, english, korean) = account.title
        self.init(
            account.rawValue, account.currency, account.normalSide, group, english, korean, hasPostings: true)
    }

    private init(
        _ name: String, _ currency: Currency, _ normalSide: Side, _ group: Group, _ english: String,
        _ korean: String, hasPostings: Bool = false
    ) {
        self.name = name
        self.currency = currency
        self.normalSide = normalSide
        self.group = group
        self.english = english
        self.korean = korean
        self.hasPostings = hasPostings
    }

    /// The accounts of users and providers, by the kinds of `AccountSQL.classification`.
    private static let ofPeople = [
        BookAccount("payable", .won, .credit, .liabilities, "Owed to providers", "파트너 미지급금"),
        BookAccount("wallet:paid", .coin, .credit, .coins, "Paid coins in wallets", "지갑의 유료 코인"),
        BookAccount("wallet:bonus", .coin, .credit, .coins, "Bonus coins in wallets", "지갑의 보너스 코인"),
        BookAccount("held:paid", .coin, .credit, .coins, "Paid coins on hold", "보류 중인 유료 코인"),
        BookAccount("held:bonus", .coin, .credit, .coins, "Bonus coins on hold", "보류 중인 보너스 코인"),
        BookAccount("debt", .coin, .debit, .coins, "Coins that users owe", "미회수 코인"),
        BookAccount("earnings", .coin, .credit, .coins, "Coins that providers earned", "파트너가 받은 코인"),
    ]
}

extension ForeignAccount {
    /// Where it stands in the books, and what it is called.
    fileprivate var title: (BookAccount.Group, english: String, korean: String) {
        switch self {
        case .receivable(let account, let currency):
            (.assets, "\(account.title.english), \(currency.code)", "\(account.title.korean)(\(currency.code))")
        case .clearing(let currency):
            (.assets, "Mirror of what is due in \(currency.code)", "\(currency.code) 미수금 대응")
        case .carrying(let currency):
            (.assets, "Due in \(currency.code), at its carrying amount", "\(currency.code) 미수금(원화 장부금액)")
        case .gain(let currency): (.revenue, "Exchange gains, \(currency.code)", "외환차익(\(currency.code))")
        case .loss(let currency): (.costs, "Exchange losses, \(currency.code)", "외환차손(\(currency.code))")
        case .unrealised(let currency):
            (.revenue, "Unrealised exchange gains and losses, \(currency.code)", "외화환산손익(\(currency.code))")
        }
    }
}

extension SystemAccount {
    /// Where it stands in the books, and what it is called.
    fileprivate var title: (BookAccount.Group, english: String, korean: String) {
        switch self {
        case .gatewayReceivable: (.assets, "Due from payment gateways", "PG사 미수금")
        case .appStoreReceivable: (.assets, "Due from the App Store", "App Store 미수금")
        case .googlePlayReceivable: (.assets, "Due from Google Play", "Google Play 미수금")
        case .bank: (.assets, "Bank account", "보통예금")
        case .vatInput: (.assets, "Input VAT", "부가세대급금")
        case .deferredRevenue: (.liabilities, "Deferred revenue of unused coins", "선수금(미사용 유료 코인)")
        case .expectedBreakage:
            (.liabilities, "Expected breakage (reduces deferred revenue)", "예상 미사용 코인(선수금 차감)")
        case .deferredBonus: (.liabilities, "Deferred revenue of bonus coins", "선수금(보너스 코인)")
        case .withholding: (.liabilities, "Withheld taxes", "원천세 예수금")
        case .vatPayable: (.liabilities, "Output VAT", "부가세예수금")
        case .vatDeferred: (.liabilities, "Output VAT of unused coins (reduces output VAT)", "미사용 코인 부가세(예수금 차감)")
        case .clearingWon: (.liabilities, "Deferred revenue between users", "이용자 간 이전 중 선수금")
        case .refundsPayable: (.liabilities, "Refunds to be transferred", "환불 미지급금")
        case .revenue: (.revenue, "Revenue of spent coins", "코인 사용 매출")
        case .breakage: (.revenue, "Revenue of expired coins", "코인 만료 매출")
        case .expectedBreakageRevenue: (.revenue, "Revenue of expected breakage", "예상 미사용 코인 매출")
        case .bonusAllocation: (.revenue, "Revenue allocated to bonus coins", "보너스 코인 배분 매출")
        case .refundFees: (.revenue, "Fees kept of refunds", "환불 수수료 수익")
        case .commission: (.revenue, "Commission of providers' sales", "파트너 판매 수수료 수익")
        case .providerCosts: (.costs, "Providers' shares", "파트너 정산 비용")
        case .gatewayFees: (.costs, "Payment gateways' fees", "PG사 수수료")
        case .coinsIssued: (.coins, "Paid coins issued", "발행한 유료 코인")
        case .coinsPromotions: (.coins, "Bonus coins given", "지급한 보너스 코인")
        case .coinsRedeemed: (.coins, "Coins spent", "사용한 코인")
        case .coinsExpired: (.coins, "Coins expired", "만료된 코인")
        case .coinsWrittenOff: (.coins, "Owed coins written off", "면제한 미회수 코인")
        case .clearingCoins: (.coins, "Coins between users", "이용자 간 이전 중 코인")
        }
    }
}
