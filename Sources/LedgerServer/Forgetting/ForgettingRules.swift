import Ledger

/// How users are forgotten.
package struct ForgettingRules: Sendable {
    /// The key of what is kept; nil: nobody is forgotten.
    let key: ForgettingKey?
    /// How long a request waits at least.
    let wait: Duration
    let periods: KeepingPeriods

    init(_ values: SettingValues) throws(ConfigurationError) {
        key = try values[Settings.personalData.forgettingKey]
        wait = try values[Settings.personalData.forgettingWait]
        periods = KeepingPeriods(
            yearsOfPayments: try values[Settings.personalData.paymentRecordYears],
            ofComplaints: try values[Settings.personalData.complaintRecordYears])
    }
}

extension Ledger {
    /// Requires the key with which names of payments of forgotten users are hashed: without it such a payment could be credited again.
    func require(_ key: ForgettingKey?) async throws {
        if let needed = try await forgettings.otherKey(than: key) { throw ConfigurationError.forgettingKey(needed) }
    }
}
