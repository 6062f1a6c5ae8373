import Ledger

extension RefundPolicy {
    init(_ settings: SettingValues) throws(ConfigurationError) {
        self.init(
            feePercent: Int64(try settings[Settings.coins.refundFeePercent]),
            minimumFee: Int64(try settings[Settings.coins.refundFeeMinimum]),
            freeDays: Int64(try settings[Settings.coins.refundFreeDays]),
            timeZone: try settings[Settings.books.timeZone],
            usedBonus: try settings[Settings.coins.refundUsedBonus],
            expired: try settings.expiredCoinRule)
    }
}

extension SettingValues {
    /// The refund of expired paid coins; nil: it is off.
    fileprivate var expiredCoinRule: ExpiredCoinRule? {
        get throws(ConfigurationError) {
            let days = Int64(try self[Settings.coins.refundExpiredDays])
            return days == 0
                ? nil : ExpiredCoinRule(days: days, percent: Int64(try self[Settings.coins.refundExpiredPercent]))
        }
    }
}
