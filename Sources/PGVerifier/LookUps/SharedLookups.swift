/// A gateway in front of which callers that ask about the same receipt at the same time share one call.
///
/// A phone that lost its connection asks again at once, and a webhook tends to come in the same second as the client.
/// A call is shared only while it is under way: nothing is remembered after it.
public actor SharedLookups: PaymentGateway {
    /// The name of the gateway behind.
    public nonisolated let name: String

    private let gateway: any PaymentGateway
    private var underWay: [Receipt: Task<Result<GatewayPayment, GatewayError>, Never>] = [:]

    /// Stands in front of a gateway.
    public init(of gateway: any PaymentGateway) {
        self.gateway = gateway
        self.name = gateway.name
    }

    /// Asks the gateway, or joins a caller that is asking the same.
    ///
    /// A caller that is cancelled leaves; the others get their answer.
    public func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        let call = underWay[receipt] ?? begin(receipt)
        return try await abandonable { await call.value }.get()
    }

    /// A task of its own: others may wait for it, and none may cancel it for them.
    private func begin(_ receipt: Receipt) -> Task<Result<GatewayPayment, GatewayError>, Never> {
        let call = Task {
            let answer = await Self.ask(gateway, receipt)
            underWay[receipt] = nil
            return answer
        }
        underWay[receipt] = call
        return call
    }

    private static func ask(
        _ gateway: any PaymentGateway, _ receipt: Receipt
    ) async -> Result<GatewayPayment, GatewayError> {
        do throws(GatewayError) {
            return .success(try await gateway.payment(for: receipt))
        } catch {
            return .failure(error)
        }
    }
}
