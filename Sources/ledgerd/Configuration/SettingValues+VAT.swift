import Ledger

extension SettingValues {
    /// What VAT is booked of.
    var vatSettings: VATSettings {
        get throws(ConfigurationError) {
            let isBooked = try self[Settings.coins.vat]
            for setting in [Settings.coins.vatBreakage, Settings.coins.vatRefundFees] where try self[setting] {
                guard isBooked else { throw .conflict(setting.name, "\(setting.name) is set without vat") }
            }
            return VATSettings(
                isBooked: isBooked, taxesBreakage: try self[Settings.coins.vatBreakage],
                taxesRefundFees: try self[Settings.coins.vatRefundFees])
        }
    }
}
