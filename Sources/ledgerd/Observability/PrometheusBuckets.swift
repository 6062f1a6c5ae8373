/// Which histogram buckets a metric gets, told from the unit at the end of its name.
struct PrometheusBuckets: Sendable {
    let bounds: @Sendable (_ name: String) -> [Double]

    func bounds(forName name: String) -> [Double] { bounds(name) }

    /// `_size` counts things (a batch, a page), `_bytes` bytes, anything else is time in seconds.
    static let byUnit = PrometheusBuckets { name in
        if name.hasSuffix("_size") { return sizes }
        if name.hasSuffix("_bytes") { return bytes }
        return seconds
    }

    /// Half a millisecond, a commit on a good disk, up to ten seconds, the gateway's default deadline.
    static let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Powers of two up to 1,024, the largest batch.
    static let sizes: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
    static let bytes: [Double] = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216]
}
