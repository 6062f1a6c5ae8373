extension Plan {
    mutating func creditPurchase(_ command: CreditPurchase) -> Answer {
        if let credited = purchase(of: command.payment) { return repeated(credited, for: command) }
        if purchase(underMerchantUIDOf: command.payment) != nil {
            return Answer(.refused(.merchantUIDAlreadyCredited))
        }
        let purchase = credit(command)
        insert(purchase)
        payDebt(of: command.user, reference: "purchase:\(purchase.id)")
        return Answer(.credited(Credited(purchase: purchase, balance: balance(of: command.user))))
    }

    private func repeated(_ credited: Purchase, for command: CreditPurchase) -> Answer {
        guard credited.user == command.user else { return Answer(.refused(.paymentBelongsToAnotherUser)) }
        guard ExactText(credited.payment.merchantUID) == ExactText(command.payment.merchantUID) else {
            return Answer(.refused(.paymentHasAnotherMerchantUID))
        }
        return Answer(
            .credited(Credited(purchase: credited, balance: balance(of: command.user))), isRepeat: true)
    }

    private mutating func credit(_ command: CreditPurchase) -> Purchase {
        let id = newID()
        let entryID = postCredit(command, reference: "purchase:\(id)")
        addLot(.paid, command.coins, of: command, purchaseID: id, entryID: entryID)
        if let bonus = command.bonusCoins { addLot(.bonus, bonus, of: command, purchaseID: id, entryID: entryID) }
        return Purchase(
            id: id, status: .credited, user: command.user, payment: command.payment, product: command.product,
            amount: command.price.amount, currency: command.price.currency, coins: command.coins.count,
            bonusCoins: command.bonusCoins?.count ?? 0, refundedAmount: 0, paidAt: believable(command.paidAt),
            creditedAt: recordedAt, journalEntryID: entryID)
    }

    private mutating func postCredit(_ command: CreditPurchase, reference: String) -> Int64 {
        let stripe = stripe(of: command.user)
        let coins = command.coins.count
        let amount = command.price.amount
        var lines = [
            Line(account: .system(.coinsIssued, stripe), side: .debit, amount: coins),
            Line(account: open(.paid, of: command.user), side: .credit, amount: coins),
        ]
        if let bonus = command.bonusCoins?.count {
            lines.append(Line(account: .system(.coinsPromotions, stripe), side: .debit, amount: bonus))
            lines.append(Line(account: open(.bonus, of: command.user), side: .credit, amount: bonus))
        }
        lines.append(Line(account: .system(.gatewayReceivable, stripe), side: .debit, amount: amount))
        lines.append(Line(account: .system(.deferredRevenue, stripe), side: .credit, amount: amount))
        return post(.purchase, reference: reference, effectiveAt: command.paidAt, in: stripe, lines)
    }

    private mutating func addLot(
        _ kind: LotKind, _ coins: Coins, of command: CreditPurchase, purchaseID: Int64, entryID: Int64
    ) {
        insert(
            Lot(
                id: newID(), stripe: stripe(of: command.user), user: command.user, kind: kind, coins: coins.count,
                amount: kind == .paid ? command.price.amount : 0, acquiredAt: recordedAt,
                expiresAt: kind == .paid ? command.expiresAt : command.bonusExpiresAt, purchaseID: purchaseID,
                journalEntryID: entryID))
    }
}
