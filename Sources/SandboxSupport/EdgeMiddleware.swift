import HTTPTypes
package import Hummingbird
package import Logging

/// The outermost layer: writes the journal, converts every error to the real gateway's response, and answers nothing that
/// the data file does not keep.
package struct EdgeMiddleware: RouterMiddleware {
    private let journal: RequestJournal
    private let logger: Logger
    private let isBroken: @Sendable () -> Bool

    /// `isBroken` tells whether a data file can't be written any more.
    package init(
        journal: RequestJournal, logger: Logger, isBroken: @escaping @Sendable () -> Bool = { false }
    ) {
        self.journal = journal
        self.logger = logger
        self.isBroken = isBroken
    }

    package func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await journalled(request, context, next)
        if isBroken() { response = Self.page(.internalServerError) }
        for field in Self.securityHeaders where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }

    /// Security headers; HTML pages have their own content policy.
    private static let securityHeaders: HTTPFields = {
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY")] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }()

    private func journalled(
        _ request: Request, _ context: SandboxRequestContext,
        _ next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        if request.uri.path.hasPrefix("/sandbox/") { return try await answer(request, context, next) }
        var request = request
        var context = context
        let body = try? await request.collectBody(upTo: Request.maxBodyBytes)
        guard let body else { return Self.page(.contentTooLarge) }
        context.journalID = await journal.record(request, body, connection: context.channel.remoteAddress?.port)
        do {
            let response = try await answer(request, context, next)
            await journal.answered(context.journalID, status: response.status.code)
            return response
        } catch is Unanswered {
            return Response(status: .internalServerError)
        }
    }

    private func answer(
        _ request: Request, _ context: SandboxRequestContext,
        _ next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as Unanswered {
            throw error
        } catch let error as HTTPError {
            return Self.page(error.status)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return Self.page(.internalServerError)
        }
    }

    /// An infrastructure response: HTML, no envelope.
    ///
    /// An unknown path must not look like "payment not found".
    package static func page(_ status: HTTPResponse.Status) -> Response {
        let title = "\(status.code) \(status.reasonPhrase)"
        return Response(
            status: status, headers: [.contentType: "text/html"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: "<html><head><title>\(title)</title></head><h1>\(title)</h1></html>\n")))
    }
}

/// The error after a fault has closed the connection; there is no response.
package struct Unanswered: Error {
    package init() {}
}
