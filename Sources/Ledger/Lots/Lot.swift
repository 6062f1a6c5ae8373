package import Foundation

/// Coins that were acquired together, such as those of one purchase or grant.
package struct Lot: Sendable, Equatable, Identifiable {
    package let id: Int64
    let stripe: Stripe
    package let user: UserID
    package let kind: LotKind
    /// The number of coins acquired.
    package let coins: Int64
    /// The won paid for them; 0 for bonus coins.
    package let amount: Int64
    package let acquiredAt: Date
    /// When the coins left expire; nil: never.
    ///
    /// Only a return of coins after the expiry changes it.
    package internal(set) var expiresAt: Date?
    /// The purchase that they came with; nil: a grant.
    package let purchaseID: Int64?
    /// Who gave the coins; nil: not stated.
    package let issuer: String?
    /// The entry by which the coins came.
    package let journalEntryID: Int64
    /// The coins in the wallet.
    package internal(set) var remaining: Int64
    /// The coins on hold.
    ///
    /// They still belong to the user.
    package internal(set) var held: Int64 = 0
    /// The part of ``amount`` that is neither recognised as revenue nor refunded.
    package internal(set) var deferred: Int64
    /// The coins that expired and were not taken back since.
    var expired: Int64 = 0
    /// The won recognised for ``expired``.
    var breakage: Int64 = 0
    /// The number of the lot's last movement.
    var seq: Int64 = 0
    /// When held coins were last released to the wallet; nil: never.
    var returnedAt: Date?
    /// The rule of VAT; nil: VAT was off when the coins were sold, or they are bonus coins.
    var vat: VATRule?
    /// The won that were recognised for supplies, less those that were reversed; kept only if there is a rule of VAT.
    ///
    /// Below zero if more went back than was recognised: see ``takeBackRecognised(_:)``.
    var taxed: Int64 = 0
    /// The part of ``breakage`` that was supplied when the coins expired (``VATSettings/taxesBreakage``).
    var suppliedBreakage: Int64 = 0
    /// Whether a grant was voided as a whole (``VoidGrant``): coins that come back later are voided, too.
    package internal(set) var isVoided = false
    /// The lot that was bought or granted, of coins that were given away (``Gift``); nil: this one was.
    package internal(set) var originID: Int64?
    /// The purchase of ``originID``; nil: it was granted, or this lot is no given one.
    package internal(set) var originPurchaseID: Int64?
    /// What ``taxed`` began with: see ``given(_:as:to:in:by:at:)``.
    var beganTaxed: Int64 = 0
}

/// Whether coins were paid for.
///
/// Unused paid coins are a liability; bonus coins are not.
package enum LotKind: String, Sendable, Codable, CaseIterable {
    /// The user paid for them.
    case paid
    /// The user got them for free.
    case bonus
}

extension Lot {
    /// The purchase of its coins, whoever has them; nil: they were granted.
    var purchaseOfCoins: Int64? { originPurchaseID ?? purchaseID }

    /// A new lot: all coins in the wallet, no revenue recognised.
    static func issued(
        id: Int64, stripe: Stripe, user: UserID, kind: LotKind, coins: Int64, amount: Int64, acquiredAt: Date,
        expiresAt: Date?, purchaseID: Int64?, issuer: String? = nil, journalEntryID: Int64, vat: VATRule? = nil
    ) -> Lot {
        Lot(
            id: id, stripe: stripe, user: user, kind: kind, coins: coins, amount: amount, acquiredAt: acquiredAt,
            expiresAt: expiresAt?.inMicroseconds, purchaseID: purchaseID, issuer: issuer,
            journalEntryID: journalEntryID, remaining: coins, deferred: amount, vat: vat)
    }

    func isExpired(at moment: Date) -> Bool { expiresAt.map { $0 <= moment } ?? false }
}

// MARK: - What happens to a lot's coins

extension Lot {
    /// The won paid for this many of the coins left: their share of ``deferred``, rounded down.
    ///
    /// The last coins get all that is left of it.
    ///
    /// However a lot is split, the parts add up to its amount.
    func won(of coins: Int64) -> Int64 {
        let left = remaining + held
        precondition((0...left).contains(coins), "a lot can't lose coins that it does not have")
        guard left > 0 else { return 0 }
        let (high, low) = deferred.multipliedFullWidth(by: coins)
        return left.dividingFullWidth((high, low)).quotient
    }

    /// Takes coins out of the wallet permanently, because they were used.
    ///
    /// - Returns: the won paid for them.
    mutating func take(_ coins: Int64) -> Int64 {
        let won = won(of: coins)
        remaining -= coins
        deferred -= won
        recognise(won)
        return won
    }

    /// Takes coins out of the wallet because they expired.
    ///
    /// - Parameters:
    ///   - price: the won paid for them, as far as they are deferred; nil: their share of ``deferred``.
    ///   - isSupply: whether that is a supply, if there is a rule of VAT.
    /// - Returns: the won paid for them.
    mutating func expire(_ coins: Int64, worth price: Int64? = nil, isSupply: Bool = false) -> Int64 {
        let isLast = coins == remaining + held
        let won = isLast ? deferred : min(deferred, price ?? won(of: coins))
        remaining -= coins
        deferred -= won
        expired += coins
        breakage += won
        if isSupply, vat != nil { suppliedBreakage += won }
        return won
    }

    /// Takes back breakage, with its share of what was supplied.
    mutating func takeBackBreakage(_ won: Int64) {
        suppliedBreakage -= won == breakage ? suppliedBreakage : suppliedBreakage.share(won, of: breakage)
        breakage -= won
    }

    /// What was recognised for this many of the expired coins: their share of ``breakage``, rounded down.
    ///
    /// The last coins take the rest.
    func breakage(of coins: Int64) -> Int64 {
        precondition((0...expired).contains(coins), "no more expired coins come back than there are")
        return coins == expired ? breakage : breakage.share(coins, of: expired)
    }

    /// Takes expired coins back into the wallet.
    ///
    /// - Returns: the breakage that was recognised for them.
    mutating func reverseExpiry(of coins: Int64, at moment: Date) -> Int64 {
        let won = breakage(of: coins)
        expired -= coins
        takeBackBreakage(won)
        remaining += coins
        deferred += won
        returnedAt = moment
        return won
    }

    /// How many coins can come back into the lot: it never has more than were sold or given.
    ///
    /// Used coins have their place taken by a lost dispute that is won, which brings back what paid for them
    /// (``Plan/giveBack(_:of:because:grace:)``).
    var place: Int64 { coins - remaining - held - expired }

    /// Takes coins of a grant out of the wallet, because they should not have been given.
    mutating func void(_ coins: Int64) {
        precondition(amount == 0 && coins <= remaining, "only bonus coins in the wallet are voided")
        remaining -= coins
    }

    /// Takes coins out of the wallet, because they go to another lot.
    ///
    /// - Returns: the deferred won that go with them.
    mutating func give(_ coins: Int64) -> Int64 {
        let won = won(of: coins)
        remaining -= coins
        deferred -= won
        return won
    }

    /// Takes coins back into the wallet that another lot has given, with their deferred won.
    mutating func regain(_ coins: Int64, _ won: Int64, at moment: Date) {
        remaining += coins
        deferred += won
        returnedAt = moment
    }

    /// The lot of coins that this one just gave away, in another user's wallet.
    ///
    /// It has all that the coins had. VAT is rounded for all won of a lot together, so that of the parts must add up: this lot can
    /// still have VAT of what it recognised and defers, and the new one goes on counting from there, to one more won of VAT at the
    /// same won as the whole would have.
    func given(
        _ use: LotUse, as id: Int64, to user: UserID, in stripe: Stripe, by journalEntryID: Int64, at moment: Date
    ) -> Lot {
        var lot = Lot.issued(
            id: id, stripe: stripe, user: user, kind: kind, coins: use.coins, amount: use.amount, acquiredAt: moment,
            expiresAt: expiresAt, purchaseID: nil, issuer: issuer, journalEntryID: journalEntryID, vat: vat)
        lot.originID = originID ?? self.id
        lot.originPurchaseID = purchaseOfCoins
        let taxable = taxed + suppliedBreakage + deferred
        if vat != nil { lot.beganTaxed = (taxable % VATRule.divisor + VATRule.divisor) % VATRule.divisor }
        lot.taxed = lot.beganTaxed
        return lot
    }

    /// Moves coins from the wallet to a hold.
    mutating func hold(_ coins: Int64) {
        remaining -= coins
        held += coins
    }

    /// Moves held coins back to the wallet.
    mutating func release(_ coins: Int64, at moment: Date) {
        held -= coins
        remaining += coins
        returnedAt = moment
    }

    /// Takes held coins permanently, because they were used.
    ///
    /// - Parameter price: the won paid for them, as far as they are deferred; nil: their share of ``deferred``.
    /// - Returns: the won paid for them.
    mutating func capture(_ coins: Int64, worth price: Int64? = nil) -> Int64 {
        let won = min(deferred, price ?? won(of: coins))
        held -= coins
        deferred -= won
        recognise(won)
        return won
    }
}

/// Coins of one lot that an act used.
package struct LotUse: Sendable, Equatable, Codable {
    package let lotID: Int64
    package let kind: LotKind
    package let coins: Int64
    /// The won that the act recognised for the coins; 0 if the coins stay the user's.
    package let amount: Int64
}

extension Sequence<LotUse> {
    func coins(_ kind: LotKind) -> Int64 { reduce(0) { $0 + ($1.kind == kind ? $1.coins : 0) } }

    var amount: Int64 { reduce(0) { $0 + $1.amount } }
}
