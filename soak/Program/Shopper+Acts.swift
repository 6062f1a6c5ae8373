import LedgerClient
import SoakHistory

extension Shopper {
    /// Does something, or asks for the balance.
    func step() async {
        switch draw(0...99) {
        case ..<14: await buy()
        case ..<24: await grant()
        case ..<27: await claim()
        case ..<31: await voidGrant()
        case ..<35: await give()
        case ..<37: await merge()
        case ..<38: await agreeToTopUp()
        case ..<51: await spend()
        case ..<59:
            if let placed = await hold() { user.state.withLock { $0.holds.append(placed) } }
        case ..<68: await closeHold()
        case ..<72: await refund()
        case ..<74: await cancelAtGateway()
        case ..<78: await repeatSomething()
        default: await readBalance()
        }
    }

    func buy() async {
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
            if case .credited(let body) = outcome, let purchase = body.purchase {
                Attempt.Answer(record: "purchase \(purchase.id)")
            } else {
                nil
            }
        } _: { [user] service in
            try await user.asUser[service].present(receipt)
        }
        guard case .credited(let body) = credited, let purchase = body.purchase else { return }
        user.state.withLock {
            $0.purchases.append(.init(id: purchase.id, impUID: impUID, amount: purchase.amount))
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

    /// - Parameter name: to whom; nil: to the user.
    /// - Returns: whether it was done.
    @discardableResult
    func grant(to name: String? = nil) async -> Bool {
        let (key, coins, owner) = (nextKey(), Int64(draw(1...60)), name ?? user.name)
        let granted = await perform(Act(.grant, of: owner, key: key, coins: coins)) { (body: GrantBody) in
            Attempt.Answer(
                record: "\(body.grant) \(body.balance)", entry: body.grant.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].grant(
                GrantRequest(coins: coins, reason: key), to: owner, key: IdempotencyKey(rawValue: key))
        }
        if let granted, name == nil { remember(granted.grant) }
        return granted != nil
    }

    private func remember(_ grant: GrantBody.Act) {
        user.state.withLock { state in
            state.grants.append(grant.journalEntryID)
            // Of older ones little is left.
            if state.grants.count > 10 { state.grants.removeFirst() }
        }
    }

    /// Coins of a campaign, which is a grant without a key: it has the act's key as its name, reason and code.
    func claim() async {
        let (key, coins) = (nextKey(), Int64(draw(1...60)))
        let claimed = await perform(Act(.grant, of: user.name, key: key, coins: coins)) { (body: CampaignClaimBody) in
            Attempt.Answer(record: "\(body.grant)", entry: body.grant.journalEntryID)
        } _: { [user] service in
            _ = try await user.asService[service].createCampaign(
                CampaignRequest(name: key, coins: coins, budget: coins, reason: key, code: key, canBeMoved: true))
            return try await user.asService[service].claim(CampaignClaimRequest(code: key), for: user.name)
        }
        if let claimed { remember(claimed.grant) }
    }

    func voidGrant() async {
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

    /// Coins that were granted, and not those that were bought, go to another user.
    func give() async {
        let (key, coins, choice) = (nextKey(), Int64(draw(1...20)), draw(0...999))
        let others = others().filter { $0 != user.name }
        guard !others.isEmpty else { return }
        _ = await perform(Act(.gift, of: user.name, key: key, coins: coins)) { (body: GiftBody) in
            Attempt.Answer(record: "\(body)", entry: body.gift.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].gift(
                GiftRequest(to: others[choice % others.count], coins: coins, reason: key), from: user.name,
                key: IdempotencyKey(rawValue: key))
        }
    }

    /// A second account of the user gets coins, holds some, and is merged into the first; then its id is used once more.
    func merge() async {
        let key = nextKey()
        let former = key.replacing("/", with: "-") + "-second"
        guard await grant(to: former) else { return }
        let held = await hold(by: former)
        let merged = await perform(Act(.merge, of: user.name, key: key)) { (body: MergeBody) in
            Attempt.Answer(record: "\(body.merge)", entry: body.merge.journalEntryID)
        } _: { [user] service in
            try await user.asService[service].merge(
                former, MergeRequest(into: user.name, reason: key), key: IdempotencyKey(rawValue: key))
        }
        guard merged != nil else { return }
        if let held { user.state.withLock { $0.holds.append(held) } }
        await spend(by: former)
    }

    /// Spends that leave few coins have a card charged from then on.
    func agreeToTopUp() async {
        let service = drawService()
        _ = try? await user.asService[service].agreeToTopUp(
            TopUpRequest(
                gateway: "portone-v1", billingKey: "card", product: "coins_100", threshold: 100,
                monthlyLimit: 1_000_000_000),
            of: user.name)
    }

    func spend(by name: String? = nil) async {
        let (key, coins, owner) = (nextKey(), Int64(draw(1...50)), name ?? user.name)
        _ = await perform(Act(.spend, of: owner, key: key, coins: coins)) { (body: SpendBody) in
            Attempt.Answer(record: "\(body)", entry: body.spend.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].spend(
                SpendRequest(coins: coins, reason: key), of: owner, key: IdempotencyKey(rawValue: key))
        }
    }

    func hold(by name: String? = nil) async -> Int64? {
        let (key, coins, owner) = (nextKey(), Int64(draw(1...50)), name ?? user.name)
        return await perform(Act(.hold, of: owner, key: key, coins: coins)) { (body: PlacedHoldBody) in
            Attempt.Answer(record: "\(body)", balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].hold(
                HoldRequest(coins: coins, timeout: 86_400, reason: key), of: owner,
                key: IdempotencyKey(rawValue: key))
        }?.hold.id
    }

    func closeHold() async {
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

    func refund() async {
        guard let purchase = takePurchase() else { return }
        let (key, coins) = (nextKey(), draw(0...1) == 0 ? nil : Int64(draw(1...40)))
        _ = await perform(Act(.refund, of: user.name, key: key, coins: coins)) { (body: RefundAnswerBody) in
            Attempt.Answer(record: "refund \(body.refund.id) of \(body.refund.coins) coins")
        } _: { [user] service in
            try await user.asService[service].refund(
                purchase.id, RefundRequest(coins: coins, reason: key), key: IdempotencyKey(rawValue: key))
        }
    }

    func cancelAtGateway() async {
        guard let purchase = takePurchase() else { return }
        let amount = draw(0...1) == 0 ? nil : Int64(draw(1...Int(purchase.amount)))
        try? await gateway.cancel(purchase.impUID, amount: amount)
    }

    private func takePurchase() -> User.Purchase? {
        let choice = draw(0...999)
        return user.state.withLock { $0.purchases.isEmpty ? nil : $0.purchases[choice % $0.purchases.count] }
    }

    func readBalance() async {
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
