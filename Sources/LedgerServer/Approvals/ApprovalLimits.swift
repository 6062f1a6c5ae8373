/// The most that one person can do alone.
package struct ApprovalLimits: Sendable {
    /// Of the refunds of a purchase, in won.
    let refund: Int64
    /// Of a grant, of the voids of one, or of the reversals of a spend or capture, in coins.
    package let grant: Int64

    init(_ values: SettingValues) throws(ConfigurationError) {
        refund = Int64(try values[Settings.console.refundLimit])
        grant = Int64(try values[Settings.console.grantLimit])
    }

    /// Of the refunds of a purchase in this currency: nothing, unless it is won.
    package func refund(in currency: String?) -> Int64 { currency == "KRW" ? refund : 0 }
}
