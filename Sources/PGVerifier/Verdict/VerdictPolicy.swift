/// What the house allows.
package struct VerdictPolicy: Hashable, Sendable {
    /// Whether payments through the gateway's test channel are credited.
    ///
    /// Never in production.
    package var allowTestPayments: Bool

    /// Whether a payment is refused as a test payment when the gateway didn't say which channel it took.
    ///
    /// Off by default: PortOne V1 says it only since 2026-01-26, and hides test payments from a single look-up anyway.
    package var refuseUnknownChannel: Bool

    /// For how long after an offer ended a payment at its price may still begin.
    ///
    /// A buyer may have seen the old price before the change and pressed the button after it.
    package var offerGrace: Duration

    /// For how long after an order expired a payment for it may still begin.
    ///
    /// The order's price was shown to the buyer: who pressed the button late and was let pay gets the coins.
    package var orderGrace: Duration

    /// How far the gateway's clock may be behind ours.
    ///
    /// An offer that has just begun would else refuse a payment made right after it: the gateway's times are its own,
    /// in whole seconds.
    package var clockSkew: Duration

    /// States a policy; the defaults are those of production.
    package init(
        allowTestPayments: Bool = false, refuseUnknownChannel: Bool = false, offerGrace: Duration = .seconds(600),
        orderGrace: Duration = .seconds(3600), clockSkew: Duration = .seconds(60)
    ) {
        self.allowTestPayments = allowTestPayments
        self.refuseUnknownChannel = refuseUnknownChannel
        self.offerGrace = offerGrace
        self.orderGrace = orderGrace
        self.clockSkew = clockSkew
    }
}
