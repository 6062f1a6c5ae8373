// What gateways owe: each store has an account of its own, and all other gateways share one (docs/decisions/0213).

extension SystemAccount {
    /// The accounts of what gateways owe.
    package static let receivables: [SystemAccount] = [.gatewayReceivable] + ofStores.map(\.account)

    /// The account of what a gateway owes.
    ///
    /// The database's `receivable_of` says the same.
    static func receivable(of gateway: String) -> SystemAccount {
        ofStores.first { $0.store == gateway }?.account ?? .gatewayReceivable
    }

    /// The gateways that are stores.
    static let stores = ofStores.map(\.store)

    private static let ofStores: [(store: String, account: SystemAccount)] = [
        (StoreName.appStore, .appStoreReceivable), (StoreName.googlePlay, .googlePlayReceivable),
    ]
}

extension SystemAccount {
    /// SQL: whether a code is of an account of the won that gateways owe, also of those that are carried for what they owe in
    /// foreign currencies.
    static func isReceivable(_ code: String) -> String {
        let name = "split_part(\(code), '/', 1)"
        let names = receivables.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return "(\(name) IN (\(names)) OR \(ForeignAccount.isCarrying(name)))"
    }

    /// SQL: the name of the account of what a gateway owes.
    static func receivableInSQL(of gateway: String) -> String {
        let stores = ofStores.map { "WHEN '\($0.store)' THEN '\($0.account.rawValue)'" }.joined(separator: " ")
        return "CASE \(gateway) \(stores) ELSE '\(gatewayReceivable.rawValue)' END"
    }
}

/// The names of the stores.
///
/// The ledger knows them because each has its own account, and its own reports or orders.
enum StoreName {
    static let appStore = "app-store"
    static let googlePlay = "google-play"
}
