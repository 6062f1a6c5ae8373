import Foundation
import LedgerClient
import SoakHistory
import Synchronization
import TestSupport

/// A client that acts for one user, at either service, and repeats what it does not know.
///
/// Two shoppers share a user, so that acts on one wallet meet.
final class Shopper: Sendable {
    /// What the shoppers of a user know of it.
    final class User: Sendable {
        struct Purchase { let id: Int64, impUID: String, amount: Int64 }
        struct State {
            var purchases: [Purchase] = []
            var holds: [Int64] = []
            /// The entries of the last grants.
            var grants: [Int64] = []
            var repeatable: [@Sendable (Shopper) async -> Void] = []
        }

        let name: String
        /// At each service, as the user and as a service that acts for users.
        let asUser: [LedgerClient]
        let asService: [LedgerClient]
        let state = Mutex(State())

        init(name: String, token: String, serviceToken: String, services: [SoakedService]) {
            self.name = name
            func client(_ service: SoakedService, _ token: String) -> LedgerClient {
                LedgerClient(url: service.url, timeout: 15, retries: .never) { _ in token }
            }
            asUser = services.map { client($0, token) }
            asService = services.map { client($0, serviceToken) }
        }
    }

    let user: User
    private let recorder: Recorder
    private let gateway: SandboxControl
    private let services: [SoakedService]
    private let pause: Duration
    private let random: Mutex<SplitMix64>
    private let prefix: String
    private let acts = Mutex(0)
    /// The only service that it asks; nil: either.
    private let onlyService: Int?
    private let isOver: @Sendable () -> Bool

    init(
        _ user: User, number: Int, seed: UInt64, stage: Stage, recorder: Recorder, pause: Duration,
        onlyAt service: Int? = nil, isOver: @escaping @Sendable () -> Bool
    ) {
        self.user = user
        self.recorder = recorder
        self.pause = pause
        self.isOver = isOver
        onlyService = service
        gateway = stage.gateway
        services = stage.services
        random = Mutex(SplitMix64(seed: seed))
        prefix = "\(user.name)/\(number)"
    }

    /// Does so many things, unless the run is over.
    func live(acts: Int) async {
        for _ in 0..<acts where !isOver() {
            await step()
            // The client's pace.
            try? await Task.sleep(for: pause * draw(0...100) / 100)
        }
    }

    /// Is granted coins, at a steady pace: its acknowledgements tell when there was a commit, and when not.
    func tick(acts: Int) async {
        for _ in 0..<acts where !isOver() {
            await grant()
            // The pace, finer than any outage that is worth telling.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func drawService() -> Int { onlyService ?? draw(0...services.count - 1) }

    private func step() async {
        switch draw(0...99) {
        case ..<14: await buy()
        case ..<30: await grant()
        case ..<34: await voidGrant()
        case ..<51: await spend()
        case ..<59: await hold()
        case ..<68: await closeHold()
        case ..<72: await refund()
        case ..<74: await cancelAtGateway()
        case ..<78: await repeatSomething()
        default: await readBalance()
        }
    }

    private func draw(_ range: ClosedRange<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    private func nextKey() -> String {
        acts.withLock { acts in
            acts += 1
            return "\(prefix)-\(acts)"
        }
    }
}

// MARK: - Requests

extension Shopper {
    /// Sends an act until its outcome is known, to a service drawn anew each time, and then perhaps once more.
    ///
    /// - Parameters:
    ///   - answer: what the success says.
    ///   - body: the call, with the number of the service.
    private func perform<Body: Sendable>(
        _ act: Act, _ answer: @escaping @Sendable (Body) -> Attempt.Answer?,
        _ call: @escaping @Sendable (Int) async throws -> Body
    ) async -> Body? {
        for round in 0..<40 where round == 0 || !isOver() {
            switch await attempt(act, answer, call) {
            case .success(let body):
                remember { await $0.attemptAgain(act, answer, call) }
                return body
            case .failure(.final): return nil
            // About as long as a client waits that follows Retry-After.
            case .failure(.unknown): try? await Task.sleep(for: .milliseconds(min(1000, 50 << min(round, 5))))
            }
        }
        return nil
    }

    private enum Miss: Error { case final, unknown }

    private func attemptAgain<Body: Sendable>(
        _ act: Act, _ answer: @escaping @Sendable (Body) -> Attempt.Answer?,
        _ call: @escaping @Sendable (Int) async throws -> Body
    ) async {
        _ = await attempt(act, answer, call)
    }

    private func attempt<Body>(
        _ act: Act, _ answer: (Body) -> Attempt.Answer?, _ call: (Int) async throws -> Body
    ) async -> Result<Body, Miss> {
        let service = drawService()
        let begun = recorder.now
        func note(_ outcome: Attempt.Outcome) {
            recorder.add(Attempt(act, from: begun, to: recorder.now, at: service, outcome))
        }
        do {
            let body = try await call(service)
            guard let answer = answer(body) else {
                note(.unknown("waiting"))
                return .failure(.unknown)
            }
            note(.done(answer))
            return .success(body)
        } catch let error as LedgerClientError {
            // This refusal is not recorded: an earlier attempt that is still on its way may be done.
            if error.problem?.code == .exceedsGrant {
                note(.unknown(ProblemCode.exceedsGrant.rawValue))
                return .failure(.final)
            }
            if let problem = error.problem, !problem.retryable {
                note(.refused(problem.code.rawValue))
                return .failure(.final)
            }
            note(.unknown(error.problem?.code.rawValue ?? "\(error)".prefix(80).description))
        } catch {
            note(.unknown("\(error)".prefix(80).description))
        }
        return .failure(.unknown)
    }

    private func remember(_ again: @escaping @Sendable (Shopper) async -> Void) {
        user.state.withLock { state in
            state.repeatable.append(again)
            if state.repeatable.count > 50 { state.repeatable.removeFirst() }
        }
    }

    private func repeatSomething() async {
        let choice = draw(0...49)
        let again = user.state.withLock { $0.repeatable.isEmpty ? nil : $0.repeatable[choice % $0.repeatable.count] }
        await again?(self)
    }

    /// Repeats every act that is remembered: the answers must be the first ones.
    func repeatAll() async {
        for again in user.state.withLock({ $0.repeatable }) { await again(self) }
    }
}

// MARK: - Acts

extension Shopper {
    private func buy() async {
        let key = nextKey()
        let product = ["coins_100", "coins_500"][draw(0...1)]
        let ordered = await perform(Act(.order, of: user.name, key: key)) { (order: OrderBody) in
            Attempt.Answer(record: order.merchantUID)
        } _: { [user] service in
            try await user.asUser[service].order(product, key: IdempotencyKey(rawValue: key))
        }
        guard let ordered, let impUID = await pay(ordered), draw(0...9) < 8 else { return }
        let receipt = ReceiptRequest.v1(impUID: impUID, merchantUID: ordered.merchantUID)
        let credited = await perform(Act(.receipt, of: user.name, key: ordered.merchantUID)) {
            (outcome: ReceiptOutcome) in
            if case .credited(let body) = outcome {
                Attempt.Answer(record: "purchase \(body.purchase.id)")
            } else {
                nil
            }
        } _: { [user] service in
            try await user.asUser[service].present(receipt)
        }
        guard case .credited(let body) = credited else { return }
        user.state.withLock {
            $0.purchases.append(.init(id: body.purchase.id, impUID: impUID, amount: body.purchase.amount))
        }
    }

    /// Pays at the gateway, which reports it to one service, or both.
    private func pay(_ order: OrderBody) async -> String? {
        let webhooks = draw(0...3) == 0 ? services : [services[draw(0...services.count - 1)]]
        let impUID = try? await gateway.pay(
            order.merchantUID, amount: order.amount, webhooks: webhooks.map { $0.url.absoluteString })
        if let impUID { recorder.add(payment: impUID, of: order.merchantUID) }
        return impUID
    }

    private func grant() async {
        let (key, coins) = (nextKey(), Int64(draw(1...60)))
        let granted = await perform(Act(.grant, of: user.name, key: key, coins: coins)) { (body: GrantBody) in
            Attempt.Answer(
                record: "\(body.grant) \(body.balance)", entry: body.grant.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].grant(
                GrantRequest(coins: coins, reason: key), to: user.name, key: IdempotencyKey(rawValue: key))
        }
        guard let granted else { return }
        user.state.withLock { state in
            state.grants.append(granted.grant.journalEntryID)
            // Of older ones little is left.
            if state.grants.count > 10 { state.grants.removeFirst() }
        }
    }

    private func voidGrant() async {
        let choice = draw(0...999)
        guard let grant = user.state.withLock({ $0.grants.isEmpty ? nil : $0.grants[choice % $0.grants.count] }) else {
            return
        }
        let (key, coins) = (nextKey(), draw(0...1) == 0 ? nil : Int64(draw(1...20)))
        _ = await perform(Act(.grantVoid, of: user.name, key: key, coins: coins)) { (body: VoidedGrantBody) in
            Attempt.Answer(record: "\(body)", entry: body.void.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].voidGrant(
                grant, VoidGrantRequest(coins: coins, reason: key), key: IdempotencyKey(rawValue: key))
        }
    }

    private func spend() async {
        let (key, coins) = (nextKey(), Int64(draw(1...50)))
        _ = await perform(Act(.spend, of: user.name, key: key, coins: coins)) { (body: SpendBody) in
            Attempt.Answer(record: "\(body)", entry: body.spend.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].spend(
                SpendRequest(coins: coins, reason: key), of: user.name, key: IdempotencyKey(rawValue: key))
        }
    }

    private func hold() async {
        let (key, coins) = (nextKey(), Int64(draw(1...50)))
        let placed = await perform(Act(.hold, of: user.name, key: key, coins: coins)) { (body: PlacedHoldBody) in
            Attempt.Answer(record: "\(body)", balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].hold(
                HoldRequest(coins: coins, timeout: 86_400, reason: key), of: user.name,
                key: IdempotencyKey(rawValue: key))
        }
        if let placed { user.state.withLock { $0.holds.append(placed.hold.id) } }
    }

    private func closeHold() async {
        let choice = draw(0...999)
        guard let hold = user.state.withLock({ $0.holds.isEmpty ? nil : $0.holds[choice % $0.holds.count] }) else {
            return
        }
        let key = nextKey()
        if draw(0...2) == 0 {
            _ = await perform(Act(.void, of: user.name, key: key)) { (body: VoidedHoldBody) in
                Attempt.Answer(record: "\(body)", balance: Coins(body.balance))
            } _: { [user] service in
                try await user.asService[service].void(
                    hold, VoidRequest(reason: key), key: IdempotencyKey(rawValue: key))
            }
        } else {
            let coins = Int64(draw(1...20))
            let isFinal = draw(0...1) == 0
            _ = await perform(Act(.capture, of: user.name, key: key, coins: coins)) { (body: CapturedHoldBody) in
                Attempt.Answer(
                    record: "\(body)", entry: body.capture.journalEntryID, balance: Coins(body.balance))
            } _: { [user] service in
                try await user.asService[service].capture(
                    hold, CaptureRequest(coins: coins, isFinal: isFinal, reason: key),
                    key: IdempotencyKey(rawValue: key))
            }
        }
    }

    private func refund() async {
        guard let purchase = takePurchase() else { return }
        let (key, coins) = (nextKey(), draw(0...1) == 0 ? nil : Int64(draw(1...40)))
        _ = await perform(Act(.refund, of: user.name, key: key, coins: coins)) { (body: RefundAnswerBody) in
            Attempt.Answer(record: "refund \(body.refund.id) of \(body.refund.coins) coins")
        } _: { [user] service in
            try await user.asService[service].refund(
                purchase.id, RefundRequest(coins: coins, reason: key), key: IdempotencyKey(rawValue: key))
        }
    }

    private func cancelAtGateway() async {
        guard let purchase = takePurchase() else { return }
        let amount = draw(0...1) == 0 ? nil : Int64(draw(1...Int(purchase.amount)))
        try? await gateway.cancel(purchase.impUID, amount: amount)
    }

    private func takePurchase() -> User.Purchase? {
        let choice = draw(0...999)
        return user.state.withLock { $0.purchases.isEmpty ? nil : $0.purchases[choice % $0.purchases.count] }
    }

    private func readBalance() async {
        let service = drawService()
        let begun = recorder.now
        do {
            let body = try await user.asService[service].wallet(of: user.name).balance()
            let read = Read(of: user.name, from: begun, to: recorder.now, at: service, Coins(body))
            recorder.add(read: read, begun: begun, saysRetry: false, "answered")
        } catch {
            var saysRetry = false
            if case .problem(let problem, let retryAfter)? = error as? LedgerClientError {
                saysRetry = problem.status == 503 && retryAfter != nil
            }
            recorder.add(read: nil, begun: begun, saysRetry: saysRetry, "service \(service): \(error)")
        }
    }
}

extension Coins {
    init(_ balance: BalanceBody) {
        self.init(paid: balance.paid, bonus: balance.bonus, held: balance.held, debt: balance.debt)
    }
}
