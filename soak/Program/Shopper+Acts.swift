import LedgerClient
import SoakHistory

extension Shopper {
    /// Does something, or asks for the balance.
    func step() async {
        switch draw(0...99) {
        case ..<14: await buy()
        case ..<27: await grant()
        case ..<30: await claim()
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

    func grant() async {
        let (key, coins) = (nextKey(), Int64(draw(1...60)))
        let granted = await perform(Act(.grant, of: user.name, key: key, coins: coins)) { (body: GrantBody) in
            Attempt.Answer(
                record: "\(body.grant) \(body.balance)", entry: body.grant.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].grant(
                GrantRequest(coins: coins, reason: key), to: user.name, key: IdempotencyKey(rawValue: key))
        }
        if let granted { remember(granted.grant) }
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
                CampaignRequest(name: key, coins: coins, budget: coins, reason: key, code: key))
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

    func spend() async {
        let (key, coins) = (nextKey(), Int64(draw(1...50)))
        _ = await perform(Act(.spend, of: user.name, key: key, coins: coins)) { (body: SpendBody) in
            Attempt.Answer(record: "\(body)", entry: body.spend.journalEntryID, balance: Coins(body.balance))
        } _: { [user] service in
            try await user.asService[service].spend(
                SpendRequest(coins: coins, reason: key), of: user.name, key: IdempotencyKey(rawValue: key))
        }
    }

    func hold() async {
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
