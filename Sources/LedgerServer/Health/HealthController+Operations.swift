extension HealthController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .file(
                "getLive", "/health/live", .anyone, .operation,
                "Check that the process runs",
                answers: [.json(200, .named("Health"), "The process runs.")],
                traits: [.ignoresUnknown, .withoutProblems])
        ) { $0.live },
        Route(
            .file(
                "getReady", "/health/ready", .anyone, .operation,
                "Check that the service is ready",
                answers: [
                    .json(200, .named("Readiness"), "The database answers, and its schema has this version.")
                ],
                traits: [.ignoresUnknown])
        ) { $0.ready },
    ]

    static func make(with deps: Deps) throws -> Self? {
        deps.monitoring.health
    }
}
