/// How far another clock is from ours, judged.
struct ClockOffset: Sendable {
    /// Seconds that the other is ahead.
    let seconds: Double

    /// Above it orders, holds and tokens end at times that surprise.
    static let tolerated = 5.0
    /// Above it tokens are refused, and close to five minutes V2's webhooks too.
    static let refused = 60.0

    /// - Parameters:
    ///   - name: the check's.
    ///   - owner: whose clock it is, such as `the database's`.
    func result(_ name: String, of owner: String) -> CheckResult {
        let distance = abs(seconds)
        guard distance > Self.tolerated else {
            return .ok(name, "within \(Self.text(max(1, distance.rounded(.up)))) of ours")
        }
        let found = "\(owner) clock is \(Self.text(distance)) \(seconds > 0 ? "ahead of" : "behind") ours"
        let advice = "run chrony or systemd-timesyncd on both machines"
        return distance > Self.refused ? .failed(name, found, do: advice) : .warning(name, found, do: advice)
    }

    private static func text(_ seconds: Double) -> String {
        seconds < 7200 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 3600).rounded())) h"
    }
}
