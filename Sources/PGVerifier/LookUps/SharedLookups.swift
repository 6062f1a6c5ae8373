/// A gateway in front of which callers that ask about the same receipt at the same time share one call.
///
/// A phone that lost its connection asks again at once, and a webhook tends to come in the same second as the client.
/// A call is shared only while it is under way: nothing is remembered after it. A caller that is cancelled leaves at
/// once; the call goes on for the others, and ends with the last of them.
public actor SharedLookups: PaymentGateway {
    private typealias Answer = Result<GatewayPayment, GatewayError>

    /// A question that is being asked, and who waits for its answer.
    private struct Call {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Int: CheckedContinuation<Answer, Never>] = [:]
    }

    /// The name of the gateway behind.
    public nonisolated let name: String

    private let gateway: any PaymentGateway
    private var underWay: [Receipt: Call] = [:]
    private var lastNumber = 0

    /// Stands in front of a gateway.
    public init(of gateway: any PaymentGateway) {
        self.gateway = gateway
        self.name = gateway.name
    }

    /// Asks the gateway, or joins a caller that is asking the same.
    public func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        let caller = nextNumber()
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in join(caller, receipt, continuation) }
        } onCancel: {
            Task { await leave(caller, receipt) }
        }
        return try answer.get()
    }

    private func join(_ caller: Int, _ receipt: Receipt, _ continuation: CheckedContinuation<Answer, Never>) {
        // Who is cancelled before can't be told to leave any more; who is after this line has joined by then.
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.callerLeft)) }
        var call = underWay[receipt] ?? begin(receipt)
        call.callers[caller] = continuation
        underWay[receipt] = call
    }

    private func leave(_ caller: Int, _ receipt: Receipt) {
        guard let continuation = underWay[receipt]?.callers.removeValue(forKey: caller) else { return }
        continuation.resume(returning: .failure(.callerLeft))
        if let call = underWay[receipt], call.callers.isEmpty {
            underWay[receipt] = nil
            call.task.cancel()
        }
    }

    /// Not a child of the caller's task: others may wait for it, and none may cancel it for them.
    private func begin(_ receipt: Receipt) -> Call {
        let number = nextNumber()
        let task = Task { [gateway] in end(number, receipt, with: await Self.ask(gateway, receipt)) }
        return Call(number: number, task: task)
    }

    private func end(_ number: Int, _ receipt: Receipt, with answer: Answer) {
        guard let call = underWay[receipt], call.number == number else { return }
        underWay[receipt] = nil
        for continuation in call.callers.values { continuation.resume(returning: answer) }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private static func ask(_ gateway: any PaymentGateway, _ receipt: Receipt) async -> Answer {
        do throws(GatewayError) {
            return .success(try await gateway.payment(for: receipt))
        } catch {
            return .failure(error)
        }
    }
}

extension GatewayError {
    fileprivate static let callerLeft = GatewayError(.cancelled, message: "the caller was cancelled")
}
