import CEmbedded
import Metrics

/// The version of this binary, as shown by `--version`, `/health/ready` and `ledgerd_build_info`.
package struct BuildInfo: Sendable, Equatable {
    /// The content of the file VERSION.
    let version: String
    /// The Git commit; `development` for builds that are not releases.
    let commit: String
    /// The time of the build, RFC 3339 in UTC; nil for builds that are not releases.
    let builtAt: String?

    package static let current: BuildInfo = {
        let build = embedded_build()
        return BuildInfo(
            version: String(String(cString: build.version).prefix { !$0.isNewline }),
            commit: build.commit.map { String(cString: $0) } ?? "development",
            builtAt: build.time.map { String(cString: $0) })
    }()

    /// A text such as `0.2.0 (commit 1a2b3c4d5e6f, built 2026-11-22T04:38:22Z)`.
    package var text: String {
        builtAt.map { "\(version) (commit \(commit), built \($0))" } ?? "\(version) (\(commit))"
    }

    /// Sets `ledgerd_build_info`: the labels have the information, the value is always 1.
    func recordMetric(factory: any MetricsFactory) {
        Meter(
            label: "ledgerd_build_info",
            dimensions: [("version", version), ("commit", commit), ("built_at", builtAt ?? "")], factory: factory
        ).set(1)
    }
}
