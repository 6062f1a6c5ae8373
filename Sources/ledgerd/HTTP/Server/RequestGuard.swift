import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Lets only such requests through as can be read in one way, answers the others, and ends connections.
///
/// It stands behind the parser, where headers are still as they came: further in only one `Host` is left, and the
/// version is gone.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Connection
    private let logger: Logger
    /// Told when a request is here whole.
    var onRequestEnd: () -> Void = {}

    private var reading = Reading.open
    private var writing = Writing.betweenAnswers
    /// Requests that were let through and are not answered whole.
    private var unanswered = 0
    /// Whether the body of the newest is still coming.
    private var isBodyComing = false
    /// Whether the newest came as HTTP/1.0, whose answers can't be chunked.
    private var isOld = false
    /// What is answered to a request that was not let through, after those before it.
    private var refusal: Rejection?
    private var closing: Scheduled<Void>?

    private enum Reading {
        case open
        /// The request that is being read is the last.
        case last
        /// What comes is thrown away.
        case over
    }

    private enum Writing {
        case betweenAnswers
        case answering
        /// The answer says that the connection ends after it.
        case answeringLast
        case over
    }

    private struct Rejection {
        let problem: Problem
        /// An answer to HEAD has no body.
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

    /// What probes and scrapers ask for, also when there are too many connections: then they are wanted most.
    private static let openToAll: Set<String> = ["/health/live", "/health/ready", "/metrics"]

    /// Whether earlier requests wait for our answers, so that the client can't be blamed for what does not come.
    var isClientWaiting: Bool { unanswered > (isBodyComing ? 1 : 0) }

    /// Ends a connection whose request does not arrive.
    func giveUp(_ context: ChannelHandlerContext) {
        guard writing == .betweenAnswers, refusal == nil else { return context.close(promise: nil) }
        // Who waits for the body can't answer any more.
        if isBodyComing { unanswered -= 1 }
        isBodyComing = false
        refuse(Problem(.requestTimeout), hasBody: true, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Within a body its reader has to know; between requests nobody does.
        guard error is HTTPParserError, !isBodyComing, reading != .over else { return context.fireErrorCaught(error) }
        connection.count(.malformed)
        refuse(Problem(.invalidRequest, "the request is not HTTP"), hasBody: true, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Whoever has been told that the connection ends, and has ended it too, waits for nothing.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, writing == .over { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: - Answers

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

    /// Notes that an answer begins, and says in its head when it is the last.
    private func begin(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        // A body that nobody waits for any more is not read to its end, which may never come.
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

    /// Writes the end of the last answer, and closes when it is taken.
    ///
    /// What the client still sends is read for a while, for a socket that is closed with bytes unread takes back what
    /// it has written (RFC 9112 §9.6).
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
