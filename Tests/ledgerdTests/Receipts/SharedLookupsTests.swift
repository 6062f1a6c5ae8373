import PGVerifier
import Synchronization
import Testing

/// Callers that ask about one receipt at the same time share one call.
struct SharedLookupsTests {
    @Test func callersAtTheSameTimeShareOneCall() async throws {
        let gateway = HeldGateway()
        let lookups = SharedLookups(of: gateway)
        let receipt = try Self.receipt("imp_1")
        async let answers = Self.ask(lookups, receipt, times: 20)
        while await gateway.calls == 0 { await Task.yield() }
        for _ in 0..<1000 { await Task.yield() }
        await gateway.answer()
        #expect(await answers.allSatisfy { $0 == .notFound })
        let calls = await gateway.calls
        #expect((1...2).contains(calls), "one that came after the answer asks anew")
    }

    @Test func nothingIsRememberedAfterACall() async throws {
        let gateway = HeldGateway()
        let lookups = SharedLookups(of: gateway)
        await gateway.answer()
        for _ in 0..<3 { _ = await Self.ask(lookups, try Self.receipt("imp_1"), times: 1) }
        #expect(await gateway.calls == 3)
    }

    @Test func oneThatIsCancelledLeavesAndTheOthersGetTheirAnswer() async throws {
        let gateway = HeldGateway()
        let lookups = SharedLookups(of: gateway)
        let receipt = try Self.receipt("imp_1")
        let leaving = Task { await Self.ask(lookups, receipt, times: 1) }
        while await gateway.calls == 0 { await Task.yield() }
        let staying = Task { await Self.ask(lookups, receipt, times: 1) }
        for _ in 0..<1000 { await Task.yield() }
        leaving.cancel()
        #expect(await leaving.value == [.cancelled], "at once, though the gateway has not answered")
        await gateway.answer()
        #expect(await staying.value == [.notFound])
    }

    @Test func aCallThatNobodyWaitsForEnds() async throws {
        let gateway = HeldGateway()
        let lookups = SharedLookups(of: gateway)
        let receipt = try Self.receipt("imp_1")
        let only = Task { await Self.ask(lookups, receipt, times: 1) }
        while await gateway.calls == 0 { await Task.yield() }
        only.cancel()
        #expect(await only.value == [.cancelled])
        while await gateway.cancelled == 0 { await Task.yield() }
        let next = Task { await Self.ask(lookups, receipt, times: 1) }
        while await gateway.calls < 2 { await Task.yield() }
        await gateway.answer()
        #expect(await next.value == [.notFound], "the next caller asks anew")
    }

    @Test func oneCancelledBeforeItAsksIsNotKept() async throws {
        let lookups = SharedLookups(of: HeldGateway())
        let receipt = try Self.receipt("imp_1")
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Self.ask(lookups, receipt, times: 1)
        }
        caller.cancel()
        #expect(await caller.value == [.cancelled])
    }

    private static func receipt(_ impUID: String) throws -> Receipt {
        .v1(impUID: try ImpUID(impUID), merchantUID: try MerchantUID("order-1"))
    }

    private static func ask(_ lookups: SharedLookups, _ receipt: Receipt, times: Int) async -> [GatewayError.Code?] {
        await withTaskGroup(of: GatewayError.Code?.self) { group in
            for _ in 0..<times {
                group.addTask {
                    do throws(GatewayError) {
                        _ = try await lookups.payment(for: receipt)
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// A gateway that answers when it is told to: that it knows no payment.
private actor HeldGateway: PaymentGateway {
    let name = "held"
    private(set) var calls = 0
    private(set) var cancelled = 0
    private var mayAnswer = false

    func answer() { mayAnswer = true }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        calls += 1
        while !mayAnswer {
            if Task.isCancelled {
                cancelled += 1
                throw GatewayError(.cancelled, message: "cancelled")
            }
            await Task.yield()
        }
        throw GatewayError(.notFound, isDefinite: true, message: "no such payment")
    }
}
