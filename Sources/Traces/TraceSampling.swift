/// Which traces are recorded.
package struct TraceSampling: Sendable {
    /// Below it an id's last 56 bits are sampled.
    private let threshold: UInt64

    /// - Parameter ratio: the share of the traces that begin here, 0 to 1.
    package init(ratio: Double) {
        threshold = UInt64((min(max(ratio, 0), 1) * Double(Self.range)).rounded())
    }

    /// Whether a trace that begins here is recorded.
    ///
    /// The id decides, so that services with the same ratio record the same traces (W3C Trace Context, level 2: the last
    /// 56 bits are random).
    func isSampled(_ id: TraceID) -> Bool { id.low & (Self.range - 1) < threshold }

    private static let range: UInt64 = 1 << 56
}
