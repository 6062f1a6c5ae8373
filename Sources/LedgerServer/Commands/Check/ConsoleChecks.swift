import OutboundHTTP

/// Whether people can sign in to the console, if there is one.
struct ConsoleChecks: Sendable {
    let values: SettingValues
    let pages: any AdminPages.Type
    /// How long each may take.
    let limit: Duration

    func run(_ transport: CurlTransport) async -> [CheckResult] {
        do throws(ConfigurationError) {
            guard let console = try ConsoleConfiguration(values) else { return [] }
            // Two requests at most come one after the other.
            let longest = limit * 2 + .seconds(1)
            return await within(longest) { await pages.check(console, over: transport, limit: limit) }
                ?? [.late("console provider", longest)]
        } catch {
            return [.skipped("console provider", "its settings are not valid")]
        }
    }
}
