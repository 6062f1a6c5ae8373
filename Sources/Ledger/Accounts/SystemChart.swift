import Postgres

/// The ids of the system accounts, and what else is fixed when the ledger is created.
///
/// It never changes, so it is read once.
struct SystemChart: Sendable {
    /// The ledger's number of stripes.
    let stripes: Int64
    /// Whether lots count whole days unless a setting says otherwise: ledgers of before the rule do not.
    let beganWithWholeDays: Bool
    private let idByCode: [AccountCode: Int64]

    private init(stripes: Int64, beganWithWholeDays: Bool, idByCode: [AccountCode: Int64]) {
        self.stripes = stripes
        self.beganWithWholeDays = beganWithWholeDays
        self.idByCode = idByCode
    }

    /// The account whose row lock is the lock of its stripe.
    ///
    /// Most acts post to it anyway.
    ///
    /// Every batch locks this account in each stripe of its users, whatever it posts. The account exists before any
    /// account of a user, so a batch that holds the lock sees every account that another process has opened
    /// (docs/decisions/0081-a-stripe-has-one-writer-at-a-time.md).
    private static let stripeLock = SystemAccount.deferredRevenue

    /// The system accounts that a batch locks: the accounts that its acts may post to, and the lock accounts of its
    /// stripes.
    func ids(touchedBy touches: BatchTouches) -> [Int64] {
        touches.systemAccounts.flatMap { stripe, accounts in
            accounts.union([Self.stripeLock]).compactMap { idByCode[.system($0, stripe)] }
        }
    }

    /// The ids of system accounts in a stripe.
    func ids(of accounts: [SystemAccount], in stripe: Stripe) -> [Int64] {
        accounts.compactMap { idByCode[.system($0, stripe)] }
    }

    /// The ids of a system account in all stripes.
    func ids(of account: SystemAccount) -> [Int64] {
        (0..<stripes).compactMap { idByCode[.system(account, Stripe(number: $0))] }
    }

    /// Reads the ledger's stripes and system accounts.
    ///
    /// - Throws: ``LedgerError/Code/schema`` when the database has no ledger.
    static func load(from connection: PostgresConnection) async throws -> SystemChart {
        let ledger = PostgresQuery<[(stripes: Int64, wholeDays: Bool)]>(
            "SELECT stripes, counts_whole_days FROM ledger"
        ) { row in (stripes: try row[0], wholeDays: try row[1]) }
        let (stripes, wholeDays) = try await connection.run(ledger).first ?? (0, false)
        // By code: any other condition would scan the accounts of all users.
        let codes = (0..<stripes).flatMap { number in
            SystemAccount.allCases.map { AccountCode.system($0, Stripe(number: number)).rawValue }
        }
        let accounts = try await connection.run(
            PostgresQuery("SELECT code, id FROM account WHERE code = ANY($1)", [codes]) { row in
                try row.make { (code: AccountCode, id: Int64) in (code, id) }
            })
        guard stripes > 0, accounts.count == codes.count else {
            throw LedgerError(.schema, "the ledger's accounts are missing: run `ledgerd migrate`")
        }
        return SystemChart(
            stripes: stripes, beganWithWholeDays: wholeDays, idByCode: Dictionary(uniqueKeysWithValues: accounts))
    }
}
