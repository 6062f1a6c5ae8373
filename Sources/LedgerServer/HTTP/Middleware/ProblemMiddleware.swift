import Hummingbird
import Logging
import NIOHTTP1

/// Converts thrown errors to problems, and logs them; server errors at a higher level.
struct ProblemMiddleware: RouterMiddleware {
    /// Converts a problem to a response.
    typealias Rendering =
        @Sendable (_ problem: Problem, _ request: Request, _ context: LedgerdRequestContext) throws -> Response

    /// Lets some paths have another format of errors; the code and the log line stay the same.
    let render: Rendering

    init(render: @escaping Rendering = { try $0.response(from: $1, context: $2) }) {
        self.render = render
    }

    func handle(
        _ request: Request, context: LedgerdRequestContext,
        next: (Request, LedgerdRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // The bytes are not HTTP. Hummingbird responds with 400 and closes the connection.
            throw error
        } catch {
            let problem = Problem(any: error)
            context.record.problemCode = problem.code
            log(problem, cause: error, context: context)
            return try render(problem, request, context)
        }
    }

    private func log(_ problem: Problem, cause: any Error, context: LedgerdRequestContext) {
        let level: Logger.Level =
            if problem.code == .internal {
                .error
            } else {
                problem.status.kind == .serverError ? .warning : .debug
            }
        context.logger.log(
            level: level, "request failed",
            metadata: [
                "code": .string(problem.code.rawValue),
                "route": .string(context.routePattern),
                "error": .string(cause is Problem ? problem.detail ?? problem.code.title : String(reflecting: cause)),
                "error_type": .string(String(reflecting: type(of: cause))),
            ])
    }
}
