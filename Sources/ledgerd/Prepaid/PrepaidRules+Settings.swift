import Foundation
import Ledger

extension PrepaidRules {
    init(_ values: SettingValues) throws(ConfigurationError) {
        self.init(
            outstandingLimit: Int64(try values[Settings.prepaid.outstandingLimit]),
            issuanceLimit: Int64(try values[Settings.prepaid.issuanceLimit]),
            safeguardPercent: Int64(try values[Settings.prepaid.safeguardPercent]),
            bonusWorth: Int64(try values[Settings.prepaid.bonusWorth]))
    }
}

extension VoucherAccounts {
    /// Reads a file; nil: it can't be used.
    init?(path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)), let accounts = try? VoucherAccounts([UInt8](data))
        else { return nil }
        self = accounts
    }
}
