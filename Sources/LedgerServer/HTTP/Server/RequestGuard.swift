import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Refuses ambiguous requests, and closes connections after the last response.
///
/// It comes directly after the parser, where the headers are unchanged; later handlers see only one `Host` and no HTTP
/// version.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Connection
    private let logger: Logger
    /// Called when a request has arrived completely.
    var onRequestEnd: () -> Void = {}

    private var reading = Reading.open
    private var writing = Writing.betweenAnswers
    /// The number of accepted requests without a complete response.
    private var unanswered = 0
    /// Whether the body of the newest request is still arriving.
    private var isBodyComing = false
    /// Whether the newest request has HTTP/1.0, whose responses can't be chunked.
    private var isOld = false
    /// The response to a refused request, which follows those to earlier requests.
    private var refusal: Rejection?
    private var closing: Scheduled<Void>?

    private enum Reading {
        case open
        /// The current request is the last one.
        case last
        /// Further bytes are ignored.
        case over
    }

    private enum Writing {
        case betweenAnswers
        case answering
        /// The connection is closed after this response.
        case answeringLast
        case over
    }

    private struct Rejection {
        let problem: Problem
        /// False for a response to HEAD.
        let hasBody: Bool
    }

    init(connection: Connection, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        closing?.cancel()
        onRequestEnd = {}
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != .over else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let problem = problem(of: head) {
                refuse(problem, hasBody: head.method != .HEAD, context)
            } else {
                begin(head)
                context.fireChannelRead(data)
            }
        case .body: context.fireChannelRead(data)
        case .end:
            isBodyComing = false
            onRequestEnd()
            if reading == .last { reading = .over }
            context.fireChannelRead(data)
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        unanswered += 1
        isBodyComing = true
        isOld = head.version != .http1_1
        if head.isLast || unanswered >= ServerLimits.pipelined { reading = .last }
        connection.setBusy()
    }

    private func problem(of head: HTTPRequestHead) -> Problem? {
        if let ambiguity = head.ambiguity {
            connection.count(.malformed)
            return Problem(.invalidRequest, ambiguity)
        }
        guard connection.isSurplus, !Self.openToAll.contains(head.uri) else { return nil }
        connection.count(.refused)
        return Problem(.overloaded, "too many connections are open")
    }

    /// Routes of probes and scrapers, which are also served when there are too many connections.
    private static let openToAll: Set<String> = ["/health/live", "/health/ready", "/metrics"]

    /// Whether the client waits for responses; then a late request is not its fault.
    var isClientWaiting: Bool { unanswered > (isBodyComing ? 1 : 0) }

    /// Refuses a request that did not arrive in time.
    func giveUp(_ context: ChannelHandlerContext) {
        guard writing == .betweenAnswers, refusal == nil else { return context.close(promise: nil) }
        // The handler that waits for the body can't respond any more.
        if isBodyComing { unanswered -= 1 }
        isBodyComing = false
        refuse(Problem(.requestTimeout), hasBody: true, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Within a body, the body's reader handles the error; between requests, nobody does.
        guard error is HTTPParserError, !isBodyComing, reading != .over else { return context.fireErrorCaught(error) }
        connection.count(.malformed)
        refuse(Problem(.invalidRequest, "the request is not HTTP"), hasBody: true, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The client has closed its side after the last response, so the connection can be closed at once.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, writing == .over { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: - Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard writing != .over else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code < 200: context.write(data, promise: promise)
        case .head(let head): context.write(wrapOutboundOut(.head(begin(head))), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end: end(data, promise, context)
        }
    }

    /// Starts a response; the last one gets `Connection: close`.
    private func begin(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        // A body that is still arriving is not read any more, because its end may never arrive.
        let isLast = (reading != .open || isBodyComing) && unanswered == 1 && refusal == nil
        if isLast && isOld { head.version = .http1_0 }
        if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
        writing = isLast || head.saysClose ? .answeringLast : .answering
        return head
    }

    private func end(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        unanswered -= 1
        if writing == .answeringLast { return finish(data, promise, context) }
        writing = .betweenAnswers
        context.write(data, promise: promise)
        if unanswered == 0 {
            connection.setIdle()
            if let refusal { send(refusal, context) }
        }
    }

    private func refuse(_ problem: Problem, hasBody: Bool, _ context: ChannelHandlerContext) {
        reading = .over
        onRequestEnd()
        let refusal = Rejection(problem: problem, hasBody: hasBody)
        self.refusal = refusal
        if unanswered == 0 { send(refusal, context) }
    }

    private func send(_ refusal: Rejection, _ context: ChannelHandlerContext) {
        let requestID = RequestID.make()
        let answer = refusal.problem.answer(requestID: requestID)
        var headers = HTTPHeaders(answer.headers.map { ($0.name.rawName, $0.value) })
        headers.replaceOrAdd(name: "connection", value: "close")
        headers.replaceOrAdd(name: "content-length", value: String(answer.body.readableBytes))
        let status = HTTPResponseStatus(
            statusCode: refusal.problem.status.code, reasonPhrase: refusal.problem.status.reasonPhrase)
        logger.debug(
            "request refused",
            metadata: ["code": "\(refusal.problem.code.rawValue)", "request_id": "\(requestID)"])
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        if refusal.hasBody { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
        finish(wrapOutboundOut(.end(nil)), nil, context)
        context.flush()
    }

    /// Writes the end of the last response, and then closes the connection.
    ///
    /// It reads from the client for a moment before, because a socket that is closed with unread bytes discards written
    /// bytes too (RFC 9112 §9.6).
    private func finish(_ end: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        reading = .over
        writing = .over
        connection.setIdle()
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            context.close(mode: .output, promise: nil)
            closing = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { context.close(promise: nil) }
        }
        context.write(end, promise: written)
    }
}

extension HTTPResponseHead {
    fileprivate var saysClose: Bool { headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" } }
}
