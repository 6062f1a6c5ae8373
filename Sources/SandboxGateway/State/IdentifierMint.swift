import FoundationEssentials

/// Creates `imp_uid`s that don't repeat after a restart: `imp_` and 12 digits that count tenths of milliseconds.
///
/// The digits repeat after three years. It uses the system clock even if tests replace the clock, so that two sandboxes
/// don't create the same id.
struct IdentifierMint: Sendable {
    private var last: UInt64 = 0

    mutating func impUID() -> String {
        let ticks = UInt64(Date.now.timeIntervalSince1970 * 10_000)
        last = max(last + 1, ticks)
        let digits = String(last % 1_000_000_000_000)
        return "imp_" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
