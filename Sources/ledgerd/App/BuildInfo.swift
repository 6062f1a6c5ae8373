import CEmbedded
import Metrics

/// Which ledgerd this is, as `--version`, `/health/ready` and `ledgerd_build_info` tell.
struct BuildInfo: Sendable, Equatable {
    /// The version, as the file VERSION has it.
    let version: String
    /// The commit it was built of; `development` for a build that is no release's.
    let commit: String
    /// When it was built, in RFC 3339 and UTC; nil for a build that is no release's.
    let builtAt: String?

    static let current: BuildInfo = {
        let build = embedded_build()
        return BuildInfo(
            version: String(String(cString: build.version).prefix { !$0.isNewline }),
            commit: build.commit.map { String(cString: $0) } ?? "development",
            builtAt: build.time.map { String(cString: $0) })
    }()

    /// For a person: `0.2.0 (commit 1a2b3c4d5e6f, built 2026-11-22T04:38:22Z)`.
    var text: String {
        builtAt.map { "\(version) (commit \(commit), built \($0))" } ?? "\(version) (\(commit))"
    }

    /// Sets `ledgerd_build_info`, whose labels are what it tells; its value is always 1.
    func recordMetric(factory: any MetricsFactory) {
        Meter(
            label: "ledgerd_build_info",
            dimensions: [("version", version), ("commit", commit), ("built_at", builtAt ?? "")], factory: factory
        ).set(1)
    }
}
