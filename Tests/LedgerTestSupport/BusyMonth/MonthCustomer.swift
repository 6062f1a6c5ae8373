import Foundation
import Ledger
import TestSupport

/// A customer of a busy month: does one thing after the other, each chosen by what became of those before.
struct MonthCustomer: Sendable {
    private let user: UserID
    private var random: SplitMix64
    private var serial = 0
    private var available: Int64 = 0
    private var holds: [Hold] = []
    private var redeemed: [Int64] = []
    private var bought: [MonthPayment] = []
    private var refunds: [Refund] = []
    private(set) var tally = MonthTally()

    init(number: Int, seed: UInt64) {
        user = .named("customer-\(number)")
        random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9e37_79b9)
    }

    /// Does so many things; what is refused does not count.
    mutating func act(_ times: Int, from time: Date, in ledger: Ledger) async throws {
        let goal = tally.total + times
        while tally.total < goal { try await step(time, ledger) }
    }

    private mutating func step(_ time: Date, _ ledger: Ledger) async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<26 where available > 0: try await spend(ledger)
        case 26..<30 where !redeemed.isEmpty: try await reverse(ledger)
        case 30..<42: try await grant(time, ledger)
        case 42..<55 where available > 0: try await hold(ledger)
        case 55..<67 where !holds.isEmpty: try await capture(ledger)
        case 67..<70 where !holds.isEmpty: try await void(ledger)
        case 70..<75 where !bought.isEmpty: try await beginRefund(ledger)
        case 75..<80 where !refunds.isEmpty: try await decideRefund(time, ledger)
        case 80..<83 where !bought.isEmpty: try await cancelInConsole(ledger)
        default: try await buy(time, ledger)
        }
    }

    /// Submits an act; nil: it was refused.
    private mutating func submit<A: Act>(_ act: A, _ kind: MonthAct, _ ledger: Ledger) async throws -> A.Success? {
        let answer = try await ledger.submit(act)
        guard case .done(let success) = answer.outcome else { return nil }
        if !answer.isRepeat { tally.count(kind) }
        return success
    }
}

// MARK: - What the customer does

extension MonthCustomer {
    private mutating func buy(_ time: Date, _ ledger: Ledger) async throws {
        let number = next()
        let product = pick(MonthProduct.all)
        let isV2 = seldom(1, in: 4)
        let order = "order_\(user.rawValue)_\(number)"
        let paymentID = "imp_\(user.rawValue)_\(number)"
        let command = CreditPurchase.sample(
            by: user,
            payment: isV2
                ? .sampleInV2(paymentID: paymentID, merchantUID: order)
                : .sample(paymentID: paymentID, merchantUID: order),
            product: product.code, coins: product.coins, bonus: product.bonus, won: product.price,
            // Receipts come some time after the payment.
            paidAt: time.addingTimeInterval(-Double(Int.random(in: 1...3000, using: &random))),
            expiresAt: product.days.map { MonthDay(of: time).after($0).midnight },
            bonusExpiresAt: MonthDay(of: time).after(7).midnight)
        guard let credited = try await submit(command, .purchase, ledger) else {
            return
        }
        available = credited.balance.available
        bought.append(MonthPayment(credited.purchase))
    }

    private mutating func grant(_ time: Date, _ ledger: Ledger) async throws {
        let days = Int.random(in: 1...12, using: &random)
        let command = Grant.sample(
            key(), to: user, coins: some(upTo: 40), issuer: "campaign",
            expiresAt: seldom(1, in: 2) ? MonthDay(of: time).after(days).midnight : nil)
        guard let granted = try await submit(command, .grant, ledger) else { return }
        available = granted.balance.available
    }

    private mutating func spend(_ ledger: Ledger) async throws {
        let command = Spend.sample(key(), by: user, coins: some(upTo: min(available, 120)))
        guard let spent = try await submit(command, .spend, ledger) else {
            return try await look(ledger)
        }
        available = spent.balance.available
        redeemed.append(spent.journalEntryID)
    }

    private mutating func hold(_ ledger: Ledger) async throws {
        let command = PlaceHold.sample(
            key(), by: user, coins: some(upTo: min(available, 200)),
            timeout: .random(in: 80_000...900_000, using: &random), reference: "session")
        guard let placed = try await submit(command, .hold, ledger) else {
            return try await look(ledger)
        }
        available = placed.balance.available
        holds.append(placed.hold)
    }

    /// A part of the hold or all of it, for a provider or for the house.
    private mutating func capture(_ ledger: Ledger) async throws {
        let place = anyPlace(in: holds)
        let hold = holds[place]
        let command = CaptureHold.sample(
            key(), of: hold.id, by: user, coins: seldom(1, in: 2) ? some(upTo: hold.remaining) : nil,
            provider: seldom(2, in: 3) ? "provider-\(Int.random(in: 0..<40, using: &random))" : nil,
            isFinal: seldom(1, in: 3))
        guard let captured = try await submit(command, .capture, ledger) else {
            holds.remove(at: place)
            return
        }
        available = captured.balance.available
        redeemed.append(captured.journalEntryID)
        if captured.hold.status == .open { holds[place] = captured.hold } else { holds.remove(at: place) }
    }

    /// A spend or capture comes back, in part or whole.
    private mutating func reverse(_ ledger: Ledger) async throws {
        let place = anyPlace(in: redeemed)
        guard let redemption = try await ledger.redemptions.find(redeemed[place]) else { return }
        let command = ReverseRedemption.sample(
            key(), of: redemption, coins: seldom(1, in: 2) ? some(upTo: redemption.coins) : nil,
            grace: seldom(1, in: 2) ? 200_000 : 0)
        guard let reversed = try await submit(command, .reversal, ledger) else {
            redeemed.remove(at: place)
            return
        }
        available = reversed.balance.available
    }

    private mutating func void(_ ledger: Ledger) async throws {
        let hold = holds.remove(at: anyPlace(in: holds))
        guard let voided = try await submit(VoidHold.sample(key(), of: hold.id, by: user), .voiding, ledger) else {
            return
        }
        available = voided.balance.available
    }

    private mutating func beginRefund(_ ledger: Ledger) async throws {
        let payment = pick(bought)
        let command = BeginRefund.sample(
            key(), of: payment.purchase.id, by: user,
            coins: seldom(1, in: 2) ? some(upTo: payment.purchase.coins) : nil, feePercent: seldom(1, in: 2) ? 10 : 0)
        guard let begun = try await submit(command, .refundBegun, ledger) else {
            return
        }
        available = begun.balance.available
        refunds.append(begun.refund)
    }

    /// The gateway gives the money back, or refuses.
    private mutating func decideRefund(_ time: Date, _ ledger: Ledger) async throws {
        let refund = refunds.remove(at: anyPlace(in: refunds))
        let isDone = seldom(3, in: 4)
        let decided =
            isDone
            ? try await submit(CompleteRefund.sample(refund, at: time), .refundCompleted, ledger)
            : try await submit(ReleaseRefund.sample(refund), .refundReleased, ledger)
        guard let decided else { return }
        available = decided.balance.available
        note(decided.purchase)
    }

    /// The shop's staff cancel a payment at the gateway, in part or whole, perhaps of coins that are spent.
    private mutating func cancelInConsole(_ ledger: Ledger) async throws {
        let purchase = pick(bought).purchase
        guard purchase.refundedAmount < purchase.amount, !refunds.contains(where: { $0.purchaseID == purchase.id })
        else { return }
        let left = purchase.amount - purchase.refundedAmount
        let part = seldom(1, in: 2) ? left : .random(in: 1...left, using: &random)
        let command = ClawBack.sample(of: purchase, purchase.refundedAmount + part)
        guard let clawedBack = try await submit(command, .clawBack, ledger) else {
            return
        }
        available = clawedBack.balance.available
        note(clawedBack.purchase)
    }

    /// Coins may have expired, or come back, since the last act.
    private mutating func look(_ ledger: Ledger) async throws {
        available = try await ledger.balances.find(of: user).available
    }

    private mutating func note(_ purchase: Purchase) {
        for place in bought.indices where bought[place].purchase.id == purchase.id { bought[place].purchase = purchase }
    }
}

// MARK: - What is paid out of its payments

extension MonthCustomer {
    /// What the gateway pays out, or keeps back, on a day: what was paid two days before, and what has changed since.
    mutating func payouts(on day: MonthDay) -> [GatewayPayout] {
        bought.indices.compactMap { bought[$0].payout(on: day) }
    }
}

// MARK: - Chance

extension MonthCustomer {
    private mutating func next() -> Int {
        serial += 1
        return serial
    }

    private mutating func key() -> String { "\(user.rawValue)-\(next())" }

    private mutating func some(upTo most: Int64) -> Int64 { .random(in: 1...max(1, most), using: &random) }

    private mutating func seldom(_ times: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < times }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        sure(elements.randomElement(using: &random))
    }

    private mutating func anyPlace(in elements: [some Any]) -> Int { .random(in: elements.indices, using: &random) }
}
