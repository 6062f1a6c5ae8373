import HTTPTypes
import Hummingbird
import LedgerClient
import Logging

/// Refuses forms that another site's page sends (cross-site request forgery).
struct OwnFormsOnly: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] } ?? "same-origin"
        guard request.method == .get || ["same-origin", "none"].contains(site) else { throw HTTPError(.forbidden) }
        return try await next(request, context)
    }
}

/// Shows ledgerd's refusals as pages.
struct ProblemPages: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as LedgerClientError {
            logger.error("refused", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            let problem = error.problem
            return ShopPage(title: problem?.title ?? "The shop is not available", user: nil)
                .response(
                    ProblemPage.template, ["detail": problem?.detail ?? "Try again in a minute."],
                    status: .init(code: problem?.status ?? 503))
        }
    }
}
