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
