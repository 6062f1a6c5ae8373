import FoundationEssentials

/// Makes `imp_uid`s that don't come back after a restart: `imp_` and 12 digits that count tenths of milliseconds.
///
/// The digits repeat after three years. The system clock is used even where tests turn another: two sandboxes must not
/// make the same identifier because their clocks were both stopped.
struct IdentifierMint: Sendable {
    private var last: UInt64 = 0

    mutating func impUID() -> String {
        let ticks = UInt64(Date.now.timeIntervalSince1970 * 10_000)
        last = max(last + 1, ticks)
        let digits = String(last % 1_000_000_000_000)
        return "imp_" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
