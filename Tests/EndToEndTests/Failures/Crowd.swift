import OutboundHTTP
import Synchronization

/// Many clients that pay and present receipts, one after the other each, until they are stopped.
final class Crowd: Sendable {
    /// What became of one post.
    struct Post: Sendable {
        let client: Int
        let payment: Payment
        /// Nil when there was none.
        let answer: Answer?
        let failure: String?
    }

    private let isOver = Mutex(false)
    private let made = Mutex<[Post]>([])

    var posts: [Post] { made.withLock { $0 } }

    func stop() { isOver.withLock { $0 = true } }

    /// Lets clients loose on a service; each has a user of its own and makes so many posts at most.
    func run(clients: Int, most: Int, gateway: Gateway, service: Service) async {
        await withDiscardingTaskGroup { group in
            for client in 0..<clients {
                group.addTask { [self] in
                    for _ in 0..<most where !isOver.withLock({ $0 }) {
                        guard let payment = try? await gateway.pay() else { break }
                        await post(payment, by: client, to: service)
                    }
                }
            }
        }
    }

    private func post(_ payment: Payment, by client: Int, to service: Service) async {
        var answer: Answer?
        var failure: String?
        do {
            // Its id is the order's, so that the service's log tells which requests came.
            answer = try await service.send(
                .post, "/v1/receipts", as: Token.user("client-\(client)"),
                headers: [("Content-Type", "application/json"), ("X-Request-Id", payment.merchantUID)],
                body: payment.receipt)
        } catch {
            failure = "\(error)"
        }
        made.withLock {
            $0.append(Post(client: client, payment: payment, answer: answer, failure: failure))
        }
    }
}
