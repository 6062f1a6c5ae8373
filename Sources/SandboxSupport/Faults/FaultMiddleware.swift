package import Hummingbird
import NIOCore

/// Applies the faults of the plan.
package struct FaultMiddleware: RouterMiddleware {
    private let faults: FaultPlan
    private let journal: RequestJournal
    private let refusal: any HTTPResponseError & Sendable
    private let unauthorized: any HTTPResponseError & Sendable
    private let revokeTokens: @Sendable () async -> Void

    /// `refusal` is the API's response for the fault `refusal`; `revokeTokens` makes all access tokens invalid.
    package init(
        faults: FaultPlan, journal: RequestJournal, refusal: any HTTPResponseError & Sendable,
        unauthorized: any HTTPResponseError & Sendable, revokeTokens: @escaping @Sendable () async -> Void
    ) {
        self.faults = faults
        self.journal = journal
        self.refusal = refusal
        self.unauthorized = unauthorized
        self.revokeTokens = revokeTokens
    }

    /// A delay longer than any client's timeout.
    private static let forever = Duration.seconds(600)

    package func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        guard !request.uri.path.hasPrefix("/sandbox/"),
            let fault = await faults.take(request.method.rawValue, request.uri.path)
        else {
            return try await next(request, context)
        }
        var context = context
        await journal.struck(context.journalID, by: fault.kind.rawValue)
        if let delay = fault.delay, ![.slow, .timeout, .stall].contains(fault.kind) {
            try await Task.sleep(for: delay)
        }
        switch fault.kind {
        case .delay: return try await next(request, context)
        case .status: return Self.answer(fault.status, to: request)
        case .garbage: return EdgeMiddleware.page(.ok)
        case .refusal: throw refusal
        case .tokenExpired:
            await revokeTokens()
            throw unauthorized
        case .stall:
            context.stall = fault.delay ?? .seconds(1)
            return try await next(request, context)
        case .loseAnswer:
            _ = try? await next(request, context)
            try await context.reset()
        case .reset: try await context.reset()
        case .timeout:
            _ = try? await next(request, context)
            try await neverAnswer(request, context, for: fault.delay ?? Self.forever)
        case .truncate: return Self.truncated(try await bytes(of: try await response(request, context, next)))
        case .slow:
            let delay = fault.delay ?? .milliseconds(100)
            return Self.slow(try await bytes(of: try await response(request, context, next)), delay)
        }
    }

    /// A redirect leads to the same URL, so that a client that follows it gets a response and is detected.
    private static func answer(_ status: Int, to request: Request) -> Response {
        var response = EdgeMiddleware.page(HTTPResponse.Status(code: status))
        if (300..<400).contains(status) { response.headers[.location] = request.uri.string }
        if status == 429 || status == 503 { response.headers[.retryAfter] = "1" }
        return response
    }

    // MARK: Connections

    private func neverAnswer(
        _ request: Request, _ context: SandboxRequestContext, for delay: Duration
    ) async throws -> Never {
        try? await request.body.consumeWithCancellationOnInboundClose { _ in try await Task.sleep(for: delay) }
        context.channel.close(promise: nil)
        throw Unanswered()
    }

    // MARK: Damaged responses

    private func response(
        _ request: Request, _ context: SandboxRequestContext,
        _ next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
    }

    private func bytes(of response: Response) async throws -> (Response, ByteBuffer) {
        (response, try await response.bytes())
    }

    /// Announces the whole body and sends half; the error closes the connection.
    private static func truncated(_ answer: (response: Response, bytes: ByteBuffer)) -> Response {
        var response = answer.response
        let bytes = answer.bytes
        response.body = ResponseBody(contentLength: bytes.readableBytes) { writer in
            try await writer.write(ByteBuffer(bytes.readableBytesView.prefix(bytes.readableBytes / 2)))
            throw Unanswered()
        }
        return response
    }

    private static func slow(_ answer: (response: Response, bytes: ByteBuffer), _ delay: Duration) -> Response {
        var response = answer.response
        let bytes = answer.bytes
        response.body = ResponseBody(contentLength: bytes.readableBytes) { writer in
            for byte in bytes.readableBytesView {
                try await writer.write(ByteBuffer(bytes: [byte]))
                try await Task.sleep(for: delay)
            }
            try await writer.finish(nil)
        }
        return response
    }
}
