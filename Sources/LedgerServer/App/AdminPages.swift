package import Hummingbird
package import Logging
package import OutboundHTTP

/// Pages for people on the listener of monitoring: the console.
///
/// They use the service and not the other way round, so the program hands them to it.
package protocol AdminPages: Sendable {
    /// Writes a problem as a page, if it is one of theirs.
    static func render(
        _ problem: Problem, _ request: Request, _ context: LedgerdRequestContext, in environment: ServiceEnvironment
    ) throws -> Response

    /// Tests whether people can sign in, for `ledgerd check`.
    ///
    /// - Parameter limit: how long each test may take.
    static func check(
        _ configuration: ConsoleConfiguration, over transport: any HTTPTransport, limit: Duration
    ) async -> [CheckResult]

    /// - Parameters:
    ///   - desks: what carries out acts of the API and of the pages.
    ///   - live: tells what is happening now.
    ///   - endpoints: acts on endpoints; nil: no webhooks are sent.
    ///   - transport: sends requests to the provider that people sign in at.
    init(
        _ configuration: ConsoleConfiguration, desks: Desks, live: LiveController, endpoints: EndpointSender?,
        transport: any HTTPTransport, logger: Logger)

    /// Adds the pages to a router.
    func add(to router: Router<LedgerdRequestContext>)
}
