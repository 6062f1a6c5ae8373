/// The most lots that acts change at once, so that a batch ends long before the time limit of its writer.
///
/// A lot costs PostgreSQL some 20 µs of a spend and 50 µs of a reversal. While a batch is written, the other acts of its
/// stripes wait.
package struct LotLimits: Sendable, Equatable {
    /// The most lots of one act.
    ///
    /// A larger act is refused, and its caller does it in parts (``Refusal/tooManyLots(required:available:limit:)``).
    package var act = 5_000
    /// The most lots of a batch of several acts.
    ///
    /// A larger batch is divided.
    package var batch = 10_000

    package init() {}
}
