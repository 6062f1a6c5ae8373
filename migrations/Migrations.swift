/// One forward step of the database's schema, embedded in the binary.
public struct Migration: Sendable {
    /// Its place in the order: the number its file name starts with.
    public let version: Int
    /// The rest of the file name, without the ending.
    public let name: String
    /// What it executes, in one transaction.
    public let sql: String

    // A resource is named after its file, the first digit becoming an underscore.
    fileprivate init(_ version: Int, _ name: String, _ bytes: [UInt8]) {
        self.version = version
        self.name = name
        self.sql = String(decoding: bytes, as: UTF8.self)
    }
}

extension Migration {
    /// Every migration of this binary, in order.
    ///
    /// A merged one never changes; `MigrationFilesTests` compares this list with the folder.
    public static let all: [Migration] = [
        Migration(1, "ledger", PackageResources._001_ledger_sql),
        Migration(2, "coin_shop", PackageResources._002_coin_shop_sql),
        Migration(3, "receipt_retry", PackageResources._003_receipt_retry_sql),
        Migration(4, "webhooks", PackageResources._004_webhooks_sql),
        Migration(5, "wallet", PackageResources._005_wallet_sql),
        Migration(6, "orders", PackageResources._006_orders_sql),
        Migration(7, "refunds", PackageResources._007_refunds_sql),
        Migration(8, "export_indexes", PackageResources._008_export_indexes_sql),
        Migration(9, "reconciliation", PackageResources._009_reconciliation_sql),
        Migration(10, "closed_periods", PackageResources._010_closed_periods_sql),
        Migration(11, "seal", PackageResources._011_seal_sql),
        Migration(12, "pending_refunds_compared", PackageResources._012_pending_refunds_compared_sql),
        Migration(13, "reversals_of_purchases", PackageResources._013_reversals_of_purchases_sql),
        Migration(14, "unreadable_payments", PackageResources._014_unreadable_payments_sql),
        Migration(15, "expired_coins", PackageResources._015_expired_coins_sql),
        Migration(16, "bonus_charged", PackageResources._016_bonus_charged_sql),
        Migration(19, "one_finding_a_payment", PackageResources._019_one_finding_a_payment_sql),
        Migration(20, "reconciled_payments_are_one", PackageResources._020_reconciled_payments_are_one_sql),
        Migration(21, "judges_names", PackageResources._021_judges_names_sql),
        Migration(22, "grant_limits", PackageResources._022_grant_limits_sql),
        Migration(23, "claims", PackageResources._023_claims_sql),
        Migration(24, "forged_webhooks", PackageResources._024_forged_webhooks_sql),
    ]
}
