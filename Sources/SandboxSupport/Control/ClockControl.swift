import FoundationEssentials
package import Hummingbird

/// Shows and sets the clock.
package struct ClockControl: Sendable {
    private let clock: SandboxClock
    private let turned: @Sendable () -> Void

    /// `turned` is called after a change.
    package init(clock: SandboxClock, turned: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.turned = turned
    }

    package func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("sandbox/clock", use: showClock)
        router.put("sandbox/clock", use: setClock)
    }

    private func showClock(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        ControlAnswer.make(
            .ok,
            .object([
                "now": RFC3339Time.nanoseconds(clock.now), "offset_seconds": .int(Int(clock.offset)),
                "time_scale": .number(Decimal(clock.timeScale)),
            ]))
    }

    private func setClock(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try ControlMembers(
            try await ControlMembers.body(of: request), known: ["advance_seconds", "time_scale"])
        if let seconds = try members.integer("advance_seconds", in: 0...400_000_000) {
            clock.advance(by: Double(seconds))
        }
        if let scale = try members.integer("time_scale", in: 1...1_000_000) { clock.setTimeScale(Double(scale)) }
        turned()
        return try await showClock(request, context)
    }
}
