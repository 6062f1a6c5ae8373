import Hummingbird
import Ledger
import LedgerServer
import LedgerWire
import PGVerifier
import WireFormats

/// What can be done for a customer: each act has a page with a form, which says what will happen, and asks why.
struct ActPages: Sendable {
    let ledger: Ledger
    let desk: ApprovalDesk
    let reviewer: PaymentReviewer

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page(of: .refund) { try await refundPage($0) }
        routes.act(.refund, refund)
        routes.page(of: .grant) { try await grantPage($0) }
        routes.act(.grant, grant)
        routes.page(of: .writeOff) { try await writeOffPage($0) }
        routes.act(.writeOff, writeOff)
        routes.page(of: .voidHold, voidPage)
        routes.act(.voidHold, void)
        routes.act(.note, note)
        routes.act(.lookUp, lookUp)
    }

    // MARK: - Refunds

    private func quote(_ visit: Visit, _ user: UserID, for coins: Coins?) async throws -> RefundQuote {
        try await desk.desks.refunding.quote(for: coins, of: try await desk.purchase(visit, of: user))
    }

    /// `GET …/refund/{id}`; `?coins=` for a part.
    private func refundPage(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let quote = try await quote(visit, user, for: try visit.chosenCoins())
        return try await refundPage(visit, user, quote, isChanged: false)
    }

    private func refundPage(
        _ visit: Visit, _ user: UserID, _ quote: RefundQuote, isChanged: Bool
    ) async throws -> Response {
        let purchase = quote.purchase
        let currency = purchase.paidCurrency.code
        let isOff = !desk.desks.refunding.canAskGateway(of: purchase)
        let refusal =
            quote.refusal.map { Problem($0) } ?? (isOff ? Problem(.noRefund(at: purchase.payment.gateway)) : nil)
        var values: [String: Any] = [
            "path": visit.request.uri.path, "back": CustomerPath.page(of: user), "once": RandomToken.make(),
            "product": purchase.product, "impUID": purchase.payment.paymentID, "isChanged": isChanged,
            "merchantUID": purchase.payment.merchantUID, "unused": Show.number(quote.unusedCoins),
            "coins": Show.number(quote.coins), "coinsValue": String(quote.coins),
            "bonus": Show.number(quote.bonusCoins), "charged": Show.number(quote.bonusCharged),
            "value": Show.money(quote.paidValue, currency), "fee": Show.money(quote.paidFee, currency),
            "amount": Show.refund(quote.amount, of: quote.foreign), "amountValue": String(quote.paidBack),
            "needsSecond": desk.needsSecondPerson(quote), "isPossible": refusal == nil,
            "given": quote.givenCoins == 0 ? [] : [["coins": Show.number(quote.givenCoins)]],
            "expired": quote.refundableExpired.map {
                [["coins": Show.number(quote.expired?.coins ?? 0), "percent": String($0.percent)]]
            } ?? [],
        ]
        values["proposals"] = ProposalPart.section(
            try await ledger.approvals.list(about: "purchase:\(purchase.id)"), visit)
        values["sums"] = RefundSums.lines(of: quote, visit.language)
        if let refusal { values["refusal"] = ConsoleRefusal.text(refusal, visit.language) }
        return await Layout.page(
            visit, title: "\(visit.text("refundTitle")): \(user.rawValue)", status: isChanged ? .conflict : .ok,
            Self.refundTemplate, values)
    }

    /// `POST …/refund/{id}`: only of the amount that the page showed.
    private func refund(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let form = visit.form
        let account = try form.account()
        let coins = try form.requireCoins()
        let quote = try await quote(visit, user, for: coins)
        _ = try form.text("reason")
        let isRepeat = try await desk.hasPerformed(visit)
        if !isRepeat, quote.refusal == nil, form["amount"] != String(quote.paidBack) {
            return try await refundPage(visit, user, quote, isChanged: true)
        }
        let seen = try await desk.seen(of: quote)
        if !isRepeat, let refusal = quote.refusal { throw Problem(refusal) }
        do {
            return try await desk.perform(
                RefundOrder(purchase: quote.purchase.id, coins: coins, account: account), of: user, visit,
                seen: seen, needsApproval: desk.needsSecondPerson(quote))
        } catch let problem as Problem where problem.code == .changedMeanwhile || problem.code == .exceedsOwnLimit {
            // Another refund of the purchase came first.
            return try await refundPage(visit, user, try await self.quote(visit, user, for: coins), isChanged: true)
        }
    }

    // MARK: - Grants and debts

    /// `GET …/grant`.
    private func grantPage(_ visit: Visit) async throws -> Response {
        try await coinsPage(visit, "grantTitle", help: "grantHelp") { _ in nil }
    }

    /// `GET …/write-off`.
    private func writeOffPage(_ visit: Visit) async throws -> Response {
        try await coinsPage(visit, "writeOffTitle", help: "writeOffHelp") { $0.debt }
    }

    /// - Parameter coins: what the form proposes; nil: nothing.
    private func coinsPage(
        _ visit: Visit, _ title: String, help: String, coins: (Balance) -> Int64?
    ) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let balance = try await ledger.balances.find(of: user)
        let proposals = try await ledger.approvals.list(about: "user:\(user.rawValue)")
        return await Layout.page(
            visit, title: "\(visit.text(title)): \(user.rawValue)", Self.coinsTemplate,
            [
                "path": visit.request.uri.path, "back": CustomerPath.page(of: user), "once": RandomToken.make(),
                "help": visit.text(help), "coins": coins(balance).map { String($0) } ?? "", "button": visit.text(title),
                "available": Show.number(balance.available), "debt": Show.number(balance.debt),
                "limit": Show.number(desk.limits.grant), "proposals": ProposalPart.section(proposals, visit),
            ])
    }

    /// `POST …/grant`.
    private func grant(_ visit: Visit) async throws -> Response {
        try await giveCoins(visit) { coins throws(Problem) in
            // A second person could not approve what no grant may have.
            if coins.count > desk.limits.grant { try desk.desks.grantLimits.check(coins) }
            return GrantOrder(coins: coins)
        }
    }

    /// `POST …/write-off`: at most what is owed.
    private func writeOff(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let isRepeat = try await desk.hasPerformed(visit)
        let debt = try await ledger.balances.find(of: user).debt
        return try await giveCoins(visit) { coins throws(Problem) in
            guard isRepeat || coins.count <= debt else {
                throw Problem(Refusal.exceedsDebt(required: coins.count, available: debt))
            }
            return WriteOffOrder(coins: coins)
        }
    }

    private func giveCoins(
        _ visit: Visit, _ order: (Coins) throws(Problem) -> any PersonOrder
    ) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let coins = try visit.form.requireCoins()
        return try await desk.perform(
            try order(coins), of: user, visit, seen: try await desk.seen(of: user),
            needsApproval: coins.count > desk.limits.grant)
    }

    // MARK: - Holds

    private func hold(_ visit: Visit) async throws -> Hold {
        let user = try visit.context.requireUserInPath()
        return try await desk.desks.holds.find(try visit.context.pathID(), of: user)
    }

    /// `GET …/void/{id}`.
    private func voidPage(_ visit: Visit) async throws -> Response {
        let hold = try await hold(visit)
        return await Layout.page(
            visit, title: "\(visit.text("voidTitle")): \(hold.user.rawValue)", Self.voidTemplate,
            [
                "path": visit.request.uri.path, "back": CustomerPath.page(of: hold.user), "once": RandomToken.make(),
                "id": String(hold.id), "remaining": Show.number(hold.remaining), "reference": hold.reference ?? "",
                "isOpen": hold.status == .open,
            ])
    }

    /// `POST …/void/{id}`.
    private func void(_ visit: Visit) async throws -> Response {
        let hold = try await hold(visit)
        let seen = try await desk.seen(of: hold.user).merging([
            "remaining": .integer(hold.remaining), "status": .string(hold.status.rawValue),
            "asked_hold": .integer(hold.id),
        ]) { $1 }
        let reason = try visit.form.text("reason")
        _ = try await desk.perform(
            .voidHold, on: "hold:\(hold.id)", visit, user: hold.user, reason: reason, seen: seen,
            made: \.made
        ) { try await desk.desks.holds.void(hold, because: reason, under: $0).success }
        return visit.redirect(to: CustomerPath.page(of: hold.user), notice: ConsoleAct.voidHold.notice())
    }

    // MARK: - Notes

    /// `POST …/notes`.
    private func note(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let text = try visit.form.text("text", most: CustomerNotes.longest)
        _ = try await desk.perform(
            .note, on: "user:\(user.rawValue)", visit, user: user, made: \.made
        ) { key in
            let note = try await ledger.notes.add(
                text, on: user, key: key.text, by: visit.person.subject, named: visit.person.name)
            guard let note else { throw Problem(.idempotencyKeyReused) }
            return note
        }
        return visit.redirect(to: CustomerPath.page(of: user), notice: ConsoleAct.note.notice())
    }
}

extension HoldVoided {
    fileprivate var made: [String: JSON] { ["hold": .integer(hold.id), "released": .integer(hold.released)] }
}

extension CustomerNote {
    fileprivate var made: [String: JSON] { ["note": .integer(id)] }
}

extension Visit {
    /// The coins of `?coins=`; nil: all, because the page was opened without a query.
    ///
    /// An emptied field and a misspelt name are refused, because the next form would take all that it shows.
    func chosenCoins() throws(Problem) -> Coins? {
        guard let text = try request.onlyConsoleField("coins") else { return nil }
        return try ConsoleForm(["coins": text]).requireCoins()
    }
}
