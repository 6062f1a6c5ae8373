import Glibc
import Hummingbird
import NIOCore

/// Makes go wrong what the plan says.
struct FaultMiddleware: RouterMiddleware {
    let faults: FaultPlan
    let journal: Journal
    let state: SandboxState

    /// A timeout that lasts longer than any client waits.
    private static let forever = Duration.seconds(600)

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        guard !request.uri.path.hasPrefix("/sandbox/"), let fault = await faults.take(request.uri.path) else {
            return try await next(request, context)
        }
        await journal.struck(context.journalID, by: fault.kind.rawValue)
        if let delay = fault.delay, fault.kind != .slow, fault.kind != .timeout { try await Task.sleep(for: delay) }
        switch fault.kind {
        case .status: return Self.answer(fault.status, to: request)
        case .garbage: return EdgeMiddleware.page(.ok)
        case .refusal: throw V1Refusal.refusedByPG
        case .tokenExpired:
            await state.revokeToken()
            throw V1Refusal.unauthorized
        case .reset: try await reset(context.channel)
        case .timeout:
            _ = try? await next(request, context)
            try await neverAnswer(request, context, for: fault.delay ?? Self.forever)
        case .truncate: return Self.truncated(try await bytes(of: try await response(request, context, next)))
        case .slow:
            let delay = fault.delay ?? .milliseconds(100)
            return Self.slow(try await bytes(of: try await response(request, context, next)), delay)
        }
    }

    /// A redirect leads to the very same place, so that a client that follows it gets its answer, and is found out.
    private static func answer(_ status: Int, to request: Request) -> Response {
        var response = EdgeMiddleware.page(HTTPResponse.Status(code: status))
        if (300..<400).contains(status) { response.headers[.location] = request.uri.string }
        if status == 429 || status == 503 { response.headers[.retryAfter] = "1" }
        return response
    }

    // MARK: Connections

    /// With no time to linger, closing a socket sends RST.
    private func reset(_ channel: any Channel) async throws -> Never {
        if let socket = channel as? any SocketOptionProvider {
            try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        channel.close(promise: nil)
        throw Unanswered()
    }

    private func neverAnswer(
        _ request: Request, _ context: SandboxRequestContext, for delay: Duration
    ) async throws -> Never {
        try? await request.body.consumeWithCancellationOnInboundClose { _ in try await Task.sleep(for: delay) }
        context.channel.close(promise: nil)
        throw Unanswered()
    }

    // MARK: Answers that come badly

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
        let collector = BodyCollector()
        try await response.body.write(collector)
        return (response, collector.bytes)
    }

    /// Promises the whole and sends half: the error closes the connection.
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

/// Collects an answer's body instead of sending it.
///
/// Unchecked: used by the one task that writes the body and reads it afterwards.
private final class BodyCollector: ResponseBodyWriter, @unchecked Sendable {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        bytes.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
