/// The rules of the verdict.
package struct VerdictPolicy: Hashable, Sendable {
    /// Whether payments through the gateway's test channel are credited.
    ///
    /// Never in production.
    package var allowTestPayments: Bool

    /// Whether a payment without a known channel is refused as a test payment.
    ///
    /// Off by default: PortOne V1 reports the channel only since 2026-01-26, and hides test payments from a single
    /// look-up anyway.
    package var refuseUnknownChannel: Bool

    /// How long after the end of an offer a payment at its price can start.
    ///
    /// A buyer can see the old price before the change and pay after it.
    package var offerGrace: Duration

    /// How long after its expiry a payment for an order can start.
    ///
    /// The buyer saw the order's price and paid, so a slightly late buyer gets the coins.
    package var orderGrace: Duration

    /// How far the gateway's clock can be behind ours.
    ///
    /// Otherwise, a payment made right after the start of an offer could be refused, because the gateway's times come
    /// from its own clock, in whole seconds.
    package var clockSkew: Duration

    /// A policy; the defaults suit production.
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
