import Foundation

/// How much the tests of this run do, as `./dev test` and `./dev test --all` set it.
package enum Effort {
    /// How much random and repeated tests do: 1 in the fast tier, 20 with `--all` (`LEDGERD_TEST_SCALE`).
    package static let scale = sure(number(of: "LEDGERD_TEST_SCALE", or: 1).flatMap { $0 > 0 ? $0 : nil })

    /// The seed of random tests (`LEDGERD_TEST_SEED`): always 1 in the fast tier, so that its verdict repeats.
    package static let seed = UInt64(sure(number(of: "LEDGERD_TEST_SEED", or: 1).flatMap { $0 >= 0 ? $0 : nil }))

    /// Seconds that tests wait for what should come: see ``Patience``.
    static let patience = sure(number(of: "LEDGERD_TEST_PATIENCE", or: 15 * 60).flatMap { $0 > 0 ? $0 : nil })

    /// Whether suites that are too slow for the fast tier run: with `./dev test --all` and `./dev test NAME`.
    ///
    /// A slow suite has the trait `.enabled(if: Effort.includesSlow)`.
    package static let includesSlow = ProcessInfo.processInfo.environment["LEDGERD_TEST_TIER"] != "fast"

    /// `least` in the fast tier, in proportion to the scale otherwise, but not more than `most`.
    package static func count(_ least: Int, upTo most: Int) -> Int {
        min(most, least * scale)
    }

    /// The seeds of tests that are repeated: one in the fast tier, as many as the scale says otherwise, at most so many.
    package static func seeds(upTo most: Int) -> [UInt64] {
        (0..<UInt64(count(1, upTo: most))).map { seed &+ $0 }
    }

    /// nil if the variable is no number.
    private static func number(of variable: String, or usual: Int) -> Int? {
        ProcessInfo.processInfo.environment[variable].map { Int($0) } ?? usual
    }
}
