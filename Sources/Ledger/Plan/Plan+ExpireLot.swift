extension Plan {
    mutating func expireLot(_ command: ExpireLot) -> Answer {
        guard let lot = lot(command.lotID), lot.user == command.user, lot.remaining > 0,
            let expiresAt = lot.expiresAt, expiresAt <= recordedAt
        else {
            let nothing = LotExpired(
                lotID: command.lotID, coins: 0, amount: 0, balance: balance(of: command.user))
            return Answer(.lotExpired(nothing), isRepeat: true)
        }
        let stripe = stripe(of: lot.user)
        let (lots, uses) = using([Choice(lotID: lot.id, coins: lot.remaining)]) { lot, coins in lot.expire(coins) }
        let entryID = post(
            .expiry, reference: "lot:\(lot.id)", effectiveAt: max(expiresAt, lot.returnedAt ?? expiresAt), in: stripe,
            walletLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: lot.user)
                + [Line(account: .system(.coinsExpired, stripe), side: .credit, amount: lot.remaining)]
                + recognition(of: uses.amount, as: .breakage, in: stripe))
        for lot in lots { change(lot, by: entryID) }
        return Answer(
            .lotExpired(
                LotExpired(
                    lotID: lot.id, coins: lot.remaining, amount: uses.amount, balance: balance(of: lot.user))))
    }
}
