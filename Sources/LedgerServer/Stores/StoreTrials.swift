import CivilTime
import Foundation
import Ledger
import PGVerifier
import Timing

/// Purchases in a store's sandbox, which nobody has paid: App Review makes them with the app of production, and testers do; and
/// those of Google Play's licence testers.
///
/// They are grants of bonus coins, few a day and for a week, and no purchases: no won, no paid coins, no revenue.
struct StoreTrials: Sendable {
    /// Whose purchases in a sandbox give coins.
    enum Mode: String, CaseIterable {
        case off, testers, capped
    }

    /// How long the coins live, after the purchase.
    static let lifetime: TimeInterval = 7 * 86_400

    /// The rules of a store.
    struct Rules {
        let mode: Mode
        let testers: Set<UserID>
        /// The most coins of a user in a day.
        let mostADay: Int64
        /// How others' purchases are refused: Apple's sandbox is an environment, and at Google Play they are tests.
        let refusal: Problem.Code

        func admits(_ user: UserID) -> Bool { mode == .capped || testers.contains(user) }
    }

    /// By the gateway's name; PortOne's test channel gives nothing.
    let rules: [String: Rules]
    /// The time zone of days.
    let timeZone: TimeZone

    /// Whether anybody's purchases in the sandbox of a gateway give coins.
    ///
    /// Where test payments are credited like others, none is a trial.
    func apply(at gateway: String) -> Bool { rules[gateway] != nil }
}

/// A purchase in a store's sandbox that gave coins.
struct StoreTrial: Sendable {
    let coins: Int64
    let expiresAt: Date
    let balance: Balance
}

extension StoreTrials {
    init(_ values: SettingValues) throws(ConfigurationError) {
        var rules: [String: Rules] = [:]
        for (gateway, settings, refusal) in Self.stores {
            let mode = try values[settings.sandbox]
            let testers = try values[settings.testers] ?? []
            let mostADay = Int64(try values[settings.sandboxCoins])
            if mode == .testers, testers.isEmpty {
                throw .conflict(settings.testers.name, "\(settings.sandbox.name) is testers, and there are none")
            }
            guard mode != .off else { continue }
            rules[gateway] = Rules(mode: mode, testers: Set(testers), mostADay: mostADay, refusal: refusal)
        }
        self.rules = rules
        timeZone = try values[Settings.books.timeZone]
    }

    private static var stores: [(gateway: String, settings: StoreTrialSettings, refusal: Problem.Code)] {
        [
            (AppStore.name, Settings.appStore.trials, .environmentMismatch),
            (GooglePlay.name, Settings.googlePlay.trials, .testPayment),
        ]
    }

    /// Gives the coins of a purchase that was refused as a test payment, if the user may try.
    ///
    /// - Parameter payment: the gateway's answer, which was refused.
    /// - Throws: ``Problem`` of the refusal; ``LedgerError``.
    func tryOut(
        _ payment: GatewayPayment, presentedAs receipt: Receipt, by user: UserID, with crediter: ReceiptCrediter
    ) async throws -> ReceiptDesk.Accepted {
        guard let rules = rules[receipt.gatewayName] else { throw Problem(.testPayment) }
        guard rules.admits(user) else { throw Problem(rules.refusal) }
        guard let gateway = crediter.gateways.gateway(for: receipt) else { throw Problem(.gatewayOff) }
        guard payment.isTest == true, payment.store != nil else { throw Problem(.testPayment) }
        // No review takes back the coins of a trial.
        guard payment.cancelledAmount == 0, payment.status != .partiallyCancelled else {
            throw Problem(.paymentPartiallyCancelled)
        }
        if let named = crediter.rules.claims.user(namedBy: payment), named != user {
            throw Problem(.receiptBelongsToAnotherUser)
        }
        let assessment = try await crediter.allowingTestPayments.assess(payment.withoutPrice, presentedAs: receipt)
        switch assessment.verdict {
        case .credit:
            guard let sale = assessment.sale else { throw LedgerError.unexpected("a credit has no sale") }
            let given = try await give(
                sale, for: payment, to: user, under: rules, in: crediter.ledger)
            await Self.finish(receipt, at: gateway)
            return given
        case .wait(let reason): return .waiting(reason, isKept: false)
        case .alreadyCredited: throw LedgerError.unexpected("the verdict has used the books")
        case .refuse(let reason): throw Problem(CreditRefusal.payment(reason))
        }
    }

    /// Tells the store that the purchase is delivered, if we are to; if that fails, the app presents the purchase again.
    private static func finish(_ receipt: Receipt, at gateway: any PaymentGateway) async {
        guard let gateway = gateway as? any FinishesPurchases, gateway.finishes else { return }
        try? await gateway.finish(receipt)
    }

    /// Grants the coins once for each purchase, whoever presents it.
    private func give(
        _ sale: Sale, for payment: GatewayPayment, to user: UserID, under rules: Rules, in ledger: Ledger
    ) async throws -> ReceiptDesk.Accepted {
        // As the gateway and the id, and never longer than a key may be.
        let name = payment.merchantUID
        guard let coins = Coins(sale.coins.count + (sale.bonusCoins?.count ?? 0)), let paidAt = payment.paidAt,
            // A purchase that was counted and gave nothing may be of another product by now.
            let counted = CallerKey("\(coins.count):\(name)", of: user),
            let key = UserID(rawValue: payment.gateway + "-sandbox").flatMap({ CallerKey(name, of: $0) })
        else { throw Problem(rules.refusal) }
        if let given = try await given(under: key, to: user, in: ledger) { return given }
        let expiresAt = paidAt + Self.lifetime
        // Asked before it is counted: the ledger would record the refusal for what the product is now.
        guard expiresAt > Time.current.now else { throw rules.triedTooLate }
        let day = CivilDate(of: Time.current.now, in: timeZone).description
        switch try await ledger.grantCounts.count(coins, under: counted, on: day, within: rules.mostADay) {
        case .counted: break
        case .tooMany(let available):
            throw Problem.grantLimitExceeded(
                coins.count, available: available, "in the sandbox today", of: "purchase")
        case .keyReused: throw LedgerError.unexpected("a key that names its coins was counted with others")
        }
        let answer = try await ledger.submit(
            Grant(
                idempotencyKey: key, user: user, coins: coins, reason: "purchase \(name) in the sandbox",
                issuer: "\(payment.gateway) sandbox", expiresAt: expiresAt))
        switch answer.outcome {
        case .done(let granted):
            let trial = StoreTrial(coins: granted.coins, expiresAt: expiresAt, balance: granted.balance)
            return .tried(trial, isRepeat: answer.isRepeat)
        case .refused(.idempotencyKeyReused):
            guard let given = try await given(under: key, to: user, in: ledger) else {
                throw Problem(.receiptBelongsToAnotherUser)
            }
            return given
        case .refused(.alreadyExpired): throw rules.triedTooLate
        case .refused(let refusal): throw Problem(refusal)
        }
    }

    /// What the purchase gave before, whatever its product is now; nil: nothing.
    private func given(
        under key: CallerKey, to user: UserID, in ledger: Ledger
    ) async throws -> ReceiptDesk.Accepted? {
        guard let entryID = try await ledger.firstUse(of: key)?.journalEntryID,
            let lot = try await ledger.lots.ofGrant(entryID), let expiresAt = lot.expiresAt
        else { return nil }
        let user = try await ledger.merges.user(behind: user)
        guard try await ledger.merges.user(behind: lot.user) == user else {
            throw Problem(.receiptBelongsToAnotherUser)
        }
        let balance = try await ledger.balances.find(of: user)
        return .tried(StoreTrial(coins: lot.coins, expiresAt: expiresAt, balance: balance), isRepeat: true)
    }
}

extension StoreTrials.Rules {
    fileprivate var triedTooLate: Problem {
        Problem(refusal, "it was bought in the sandbox more than a week ago")
    }
}

extension ReceiptCrediter {
    /// The same where test payments are judged like others; it must credit nothing.
    fileprivate var allowingTestPayments: Self {
        var rules = rules
        rules.policy.allowTestPayments = true
        return Self(gateways: gateways, ledger: ledger, rules: rules)
    }
}

extension GatewayPayment {
    /// The same at a price that the books have: nobody has paid a trial, whatever the store's sandbox says.
    fileprivate var withoutPrice: GatewayPayment {
        var payment = self
        (payment.amount, payment.currency) = (1, Currency.won.code)
        return payment
    }
}
