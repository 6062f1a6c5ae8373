import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Sends V1 webhooks: plain, unsigned, once each, whatever becomes of them (PortOne V1 contract, webhooks).
///
/// At most 1,000 wait; more are lost, as webhooks are.
struct WebhookOutbox: Service {
    private let target: WebhookTarget?
    private let logger: Logger
    private let waiting: AsyncStream<String>
    private let inlet: AsyncStream<String>.Continuation

    private static let maxAtOnce = 8
    private static let readTimeout = Duration.seconds(30)

    init(target: WebhookTarget?, logger: Logger) {
        self.target = target
        self.logger = logger
        (waiting, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1000))
    }

    /// Queues the webhook that tells how `payment` stands now.
    func send(_ payment: SandboxPayment) {
        guard target != nil else { return }
        var members: [String: JSONValue] = [
            "imp_uid": .string(payment.impUID), "merchant_uid": .string(payment.merchantUID),
            "status": .string(payment.v1Status.rawValue),
        ]
        if let cancellation = payment.executed.last { members["cancellation_id"] = .string(cancellation.id) }
        inlet.yield(JSONValue.object(members).wireText)
    }

    func run() async throws {
        guard let target else { return try await gracefulShutdown() }
        await withTaskGroup(of: Void.self) { group in
            var active = 0
            for await body in waiting.cancelOnGracefulShutdown() {
                if active == Self.maxAtOnce {
                    await group.next()
                    active -= 1
                }
                active += 1
                group.addTask { await deliver(body, to: target) }
            }
            group.cancelAll()
        }
    }

    private func deliver(_ body: String, to target: WebhookTarget) async {
        do {
            let status = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await Self.post(body, to: target) }
                group.addTask {
                    try await Task.sleep(for: Self.readTimeout)
                    throw CancellationError()
                }
                defer { group.cancelAll() }
                return try await group.next() ?? 0
            }
            logger.debug("webhook sent", metadata: ["status": "\(status)"])
        } catch {
            logger.info("webhook lost", metadata: ["error": "\(error)"])
        }
    }

    private static func post(_ body: String, to target: WebhookTarget) async throws -> Int {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: target.host, port: target.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: target.path)
            head.headers.add(name: "Host", value: "\(target.host):\(target.port)")
            head.headers.add(name: "Content-Type", value: "application/json")
            head.headers.add(name: "Content-Length", value: String(body.utf8.count))
            head.headers.add(name: "Connection", value: "close")
            try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(ByteBuffer(string: body))), .end(nil)])
            for try await part in inbound {
                if case .head(let head) = part { return Int(head.status.code) }
            }
            return 0
        }
    }
}
