import Synchronization
import TestSupport
import Testing
import Timing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct SharedLookupsTests {
    @Test func `callers at the same time share one call, whatever order they name`() async throws {
        let gateway = HeldGateway()
        let lookups = gateway.lookups()
        let callers = try (0..<20).map { number in
            let receipt = try receipt("imp_1", of: "order-\(number)")
            return Task { await code(lookups, receipt) }
        }
        while gateway.calls.isEmpty { await Task.yield() }
        for _ in 0..<1000 { await Task.yield() }
        gateway.release()
        for caller in callers { #expect(await caller.value == .notFound) }
        #expect((1...2).contains(gateway.calls.count), "one that came after the answer asks anew")
    }

    @Test func `nothing is remembered after a call`() async throws {
        let gateway = HeldGateway()
        gateway.release()
        let lookups = gateway.lookups()
        for _ in 0..<3 { #expect(await code(lookups, try receipt("imp_1")) == .notFound) }
        #expect(gateway.calls.count == 3)
    }

    @Test func `one that is cancelled leaves at once, and the others get their answer`() async throws {
        let gateway = HeldGateway()
        let lookups = gateway.lookups()
        let receipt = try receipt("imp_1")
        let leaving = Task { await code(lookups, receipt) }
        while gateway.calls.isEmpty { await Task.yield() }
        let staying = Task { await code(lookups, receipt) }
        for _ in 0..<1000 { await Task.yield() }
        leaving.cancel()
        #expect(await leaving.value == .cancelled)
        gateway.release()
        #expect(await staying.value == .notFound)
        #expect(gateway.calls.count == 1)
    }

    @Test func `a call that nobody waits for ends, and the next caller asks again`() async throws {
        let gateway = HeldGateway()
        let lookups = gateway.lookups()
        let receipt = try receipt("imp_1")
        let only = Task { await code(lookups, receipt) }
        while gateway.calls.isEmpty { await Task.yield() }
        only.cancel()
        #expect(await only.value == .cancelled)
        while gateway.cancelled == 0 { await Task.yield() }
        let next = Task { await code(lookups, receipt) }
        while gateway.calls.count < 2 { await Task.yield() }
        gateway.release()
        #expect(await next.value == .notFound)
    }

    @Test func `one that is cancelled before it asks is not kept`() async throws {
        let lookups = HeldGateway().lookups()
        let receipt = try receipt("imp_1")
        let caller = Task {
            while !Task.isCancelled { await Task.yield() }
            return await code(lookups, receipt)
        }
        caller.cancel()
        #expect(await caller.value == .cancelled)
    }

    @Test func `whoever comes while a call waits for its admission goes with it`() async throws {
        let gateway = HeldGateway()
        gateway.release()
        let (gate, admit) = AsyncStream<Void>.makeStream()
        let admissions = Mutex(0)
        var terms = SharedLookups.Terms()
        terms.batchLimit = 100
        let lookups = gateway.lookups(terms) {
            admissions.withLock { $0 += 1 }
            for await _ in gate {}
            return nil
        }
        let callers = try (0..<50).map { number in
            let receipt = try receipt("imp_\(number)")
            return Task { await code(lookups, receipt) }
        }
        while admissions.withLock(\.self) == 0 { await Task.yield() }
        try await eventually("all have come") { await lookups.waiting.count == 50 }
        admit.finish()
        for caller in callers { #expect(await caller.value == .notFound) }
        #expect(gateway.calls.map(\.count) == [50])
        #expect(admissions.withLock(\.self) == 1, "one call waits at a time, or the rate limit is spent on nothing")
    }

    @Test func `callers take turns at the places of a call`() async throws {
        let gateway = HeldGateway()
        var terms = SharedLookups.Terms()
        (terms.batchLimit, terms.callsAtOnce) = (4, 1)
        let lookups = gateway.lookups(terms)
        let (first, last) = (try receipt("imp_busy"), try receipt("imp_modest"))
        let busy = Task { await code(lookups, first) }
        while gateway.calls.isEmpty { await Task.yield() }
        let greedy = try (0..<40).map { number in
            let receipt = try receipt("imp_greedy\(number)")
            return Task {
                await GatewayCaller.$current.withValue(.user("greedy")) { await code(lookups, receipt) }
            }
        }
        try await eventually("the greedy wait") { await lookups.waiting.count == 40 }
        let modest = Task {
            await GatewayCaller.$current.withValue(.user("modest")) { await code(lookups, last) }
        }
        try await eventually("the modest one waits") { await lookups.waiting.count == 41 }
        gateway.release()
        #expect(await modest.value == .notFound)
        for caller in greedy { #expect(await caller.value == .notFound) }
        #expect(await busy.value == .notFound)
        #expect(gateway.calls[1].contains("imp_modest"), "\(gateway.calls)")
        #expect(gateway.calls.allSatisfy { $0.count <= 4 })
    }

    @Test func `a look-up ends at its deadline, and those that came later go on`() async throws {
        let gateway = HeldGateway()
        var terms = SharedLookups.Terms()
        terms.patience = .seconds(2)
        let time = ManualTime()
        let lookups = gateway.lookups(terms, time: time.time)
        let (early, late) = (try receipt("imp_1"), try receipt("imp_2"))
        let first = Task { await code(lookups, early) }
        while gateway.calls.isEmpty { await Task.yield() }
        await time.advance(by: .seconds(1))
        let second = Task { await code(lookups, late) }
        while gateway.calls.count < 2 { await Task.yield() }
        await time.advance(by: .seconds(1))
        #expect(await first.value == .timeout)
        while gateway.cancelled == 0 { await Task.yield() }
        gateway.release()
        #expect(await second.value == .notFound)
    }

    @Test func `no more wait than may`() async throws {
        let gateway = HeldGateway()
        var terms = SharedLookups.Terms()
        (terms.callsAtOnce, terms.maxWaiting) = (1, 2)
        let lookups = gateway.lookups(terms)
        let refused = Tally()
        let callers = try (0..<10).map { number in
            let receipt = try receipt("imp_\(number)")
            return Task {
                let code = await code(lookups, receipt)
                if code == .overloaded { refused.count.withLock { $0 += 1 } }
                return code
            }
        }
        try await eventually("all are asked for, wait or are refused") {
            await gateway.calls.count + lookups.waiting.count + refused.count.withLock(\.self) == 10
        }
        gateway.release()
        var codes: [GatewayError.Code?] = []
        for caller in callers { codes.append(await caller.value) }
        #expect(codes.filter { $0 == .notFound }.count >= 2)
        #expect(codes.filter { $0 == .overloaded }.count >= 6)
    }
}

private final class Tally: Sendable {
    let count = Mutex(0)
}

/// A gateway that answers on request: that it knows no payment.
private final class HeldGateway: Sendable {
    private struct State {
        var calls: [[String]] = []
        var cancelled = 0
        var isReleased = false
    }

    private let state = Mutex(State())

    /// What each call asked for.
    var calls: [[String]] { state.withLock { $0.calls } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    func release() { state.withLock { $0.isReleased = true } }

    func lookups(
        _ terms: SharedLookups.Terms = .init(), time: Time = InstantTiming().time,
        admit: @escaping SharedLookups.Admit = { nil }
    ) -> SharedLookups {
        SharedLookups(terms, time: time, admit: admit) { questions, _ in
            self.state.withLock { $0.calls.append(questions.compactMap { try? $0.receipt.impUID.text }) }
            while !self.state.withLock({ $0.isReleased }) {
                if Task.isCancelled {
                    self.state.withLock { $0.cancelled += 1 }
                    return questions.map { _ in .failure(GatewayError(.cancelled, message: "cancelled")) }
                }
                await Task.yield()
            }
            return questions.map { _ in
                .failure(GatewayError(.notFound, isDefinite: true, message: "no such payment"))
            }
        }
    }
}

private func receipt(_ impUID: String, of order: String = "order-1") throws -> Receipt {
    .v1(impUID: try ImpUID(impUID), merchantUID: try MerchantUID(order))
}

private func code(_ lookups: SharedLookups, _ receipt: Receipt) async -> GatewayError.Code? {
    do throws(GatewayError) {
        _ = try await lookups.payment(for: receipt)
        return nil
    } catch {
        return error.code
    }
}
