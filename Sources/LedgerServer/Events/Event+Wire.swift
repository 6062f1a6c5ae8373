import Foundation
package import Ledger
package import LedgerWire

extension EventBody {
    /// The version of the bodies.
    ///
    /// A change that old readers can't read makes a new one.
    private static let version: Int64 = 1

    /// - Throws: ``LedgerError/Code/fault`` if what is stored of the event can't be read.
    package init(_ event: Event) throws(LedgerError) {
        let data: EventDataBody =
            switch event.content {
            case .entry(let entry): EventDataBody(entry, of: event.seq)
            case .occurrence(let occurrence): try EventDataBody(occurrence, event.type)
            }
        self.init(
            seq: event.seq, type: event.type.rawValue, version: Self.version, recordedAt: event.recordedAt,
            user: event.user?.rawValue, data: data)
    }
}

extension EventPageBody {
    /// - Throws: ``LedgerError/Code/fault`` if what is stored of an event can't be read.
    init(_ page: EventPage) throws(LedgerError) {
        self.init(events: try page.events.map(EventBody.init), next: page.next, hasMore: page.hasMore)
    }
}

// MARK: - Journal entries

extension EventDataBody {
    /// - Parameter seq: the number of the event.
    fileprivate init(_ entry: EventEntry, of seq: Int64) {
        self.init()
        journalEntryID = entry.id
        effectiveAt = entry.effectiveAt
        reason = entry.reason
        reference = entry.reference
        change = entry.change.map(CoinChangeBody.init)
        balance = entry.balance.map(BalanceBody.init)
        if !entry.lots.isEmpty { lots = entry.lots.map(LotUseBody.init) }
        if entry.lotCount > entry.lots.count {
            lotCount = entry.lotCount
            allLots = "/v1/events/\(seq)/lots"
        }
        if let fact = entry.fact { set(fact) }
    }

    private mutating func set(_ fact: EventEntry.Fact) {
        switch fact {
        case .purchase(let bought): purchase = EventPurchaseBody(bought)
        case .clawBack(let bought, let amount, let foreignAmount, let coins, let bonusCoins):
            purchase = EventPurchaseBody(bought)
            let foreign = bought.foreign.flatMap { paid in
                foreignAmount.map { EventClawBackBody.Foreign(amount: $0, currency: paid.currency.code) }
            }
            clawBack = EventClawBackBody(amount: amount, coins: coins, bonusCoins: bonusCoins, foreign: foreign)
        case .hold(let held, let moved, let provider):
            hold = EventHoldBody(
                id: held.id, coins: held.coins, movedCoins: moved, placedAt: held.placedAt, expiresAt: held.expiresAt,
                provider: provider)
        case .refund(let begun, let bought, let decision):
            purchase = EventPurchaseBody(bought)
            refund = EventRefundBody(begun, decision)
        case .lot(let made):
            lot = EventLotBody(
                id: made.id, kind: made.kind.rawValue, coins: made.coins, amount: made.amount,
                expiresAt: made.expiresAt, issuer: made.issuer)
        case .reversal(let redemption, let provider, let coins, let amount):
            reversal = EventReversalBody(reverses: redemption, coins: coins, amount: amount, provider: provider)
        case .gift(let id, let giver, let receiver, let purchaseID):
            gift = EventGiftBody(id: id, from: giver.rawValue, to: receiver.rawValue, purchaseID: purchaseID)
        case .payout(let id, let provider, let amount, let withheld):
            payout = EventPayoutBody(id: id, amount: amount, withheld: withheld, provider: provider)
        case .repayment(let provider, let amount, let paidAt, let bankReference):
            repayment = EventRepaymentBody(
                provider: provider, amount: amount, paidAt: paidAt, bankReference: bankReference)
        case .adjustment(let booked):
            adjustment = EventAdjustmentBody(
                id: booked.id, subject: booked.subject.rawValue, month: booked.month.description, target: booked.target,
                amount: booked.amount)
        case .revaluation(let booked):
            revaluation = EventRevaluationBody(
                id: booked.id, currency: booked.currency.code, month: booked.month.description,
                amount: booked.basis.amount)
        case .debtPayment(let coins, let amount, let paidAt, let bankReference):
            debtPayment = EventDebtPaymentBody(
                coins: coins, amount: amount, paidAt: paidAt, bankReference: bankReference)
        case .settlement(let line, let bought):
            purchase = EventPurchaseBody(bought)
            settlement = EventSettlementBody(
                gross: line.gross, fee: line.fee, tax: line.tax, net: line.net, paidOutOn: line.paidOutOn)
        }
    }
}

extension CoinChangeBody {
    fileprivate init(_ change: CoinChange) {
        self.init(paid: change.paid, bonus: change.bonus, held: change.held, debt: change.debt)
    }
}

extension EventPurchaseBody {
    fileprivate init(_ purchase: Purchase) {
        self.init(
            id: purchase.id, gateway: purchase.payment.gateway, impUID: purchase.payment.paymentID,
            merchantUID: purchase.payment.merchantUID, paymentID: purchase.payment.merchantPaymentID,
            product: purchase.product, amount: purchase.amount, currency: purchase.currency.code,
            coins: purchase.coins, bonusCoins: purchase.bonusCoins, paidAt: purchase.paidAt,
            foreign: purchase.foreign.map { Foreign(amount: $0.amount, currency: $0.currency.code) })
    }
}

extension EventRefundBody {
    fileprivate init(_ refund: Refund, _ decision: EventEntry.Decision?) {
        self.init(
            id: refund.id, coins: refund.coins, bonusCoins: refund.bonusCoins, amount: refund.amount, fee: refund.fee,
            currency: refund.currency.code, reason: refund.explanation,
            refusal: decision.flatMap { decision in
                decision.refusal.map {
                    RefundBody.GatewayRefusal(reason: $0, gatewayCode: decision.gatewayCode)
                }
            }, cancellationID: decision?.cancellationID,
            method: refund.method == .gateway ? nil : refund.method.rawValue, paidAt: decision?.paidAt,
            bankReference: decision?.bankReference, repaidAt: decision?.repaidAt,
            repaymentReference: decision?.repaymentReference, foreign: refund.foreign.map(RefundBody.Foreign.init))
    }
}

// MARK: - Occurrences

extension EventDataBody {
    /// What is stored of an occurrence is the body, but for what is put together here.
    ///
    /// An older version of the service knows nothing of the occurrences of a newer one.
    fileprivate init(_ occurrence: Occurrence, _ type: EventType) throws(LedgerError) {
        self.init()
        switch type {
        case .purchaseDisputed, .purchaseDisputeResolved: dispute = try occurrence.decode()
        case .payoutProposed, .payoutApproved, .payoutWithdrawn, .payoutPaid: payout = try occurrence.decode()
        case .balanceFellBelow, .balanceRoseAbove: crossing = try occurrence.decode()
        case .userMerged: merge = try occurrence.decode()
        case .topUpAgreed, .topUpCredited, .topUpFailed, .topUpLimited, .topUpPaused, .topUpResumed, .topUpRevoked:
            topUp = try occurrence.decode()
        case .campaignCreated, .campaignApproved, .campaignPaused, .campaignResumed, .campaignEnded, .campaignVoided:
            campaign = try occurrence.decode()
        case .userForgotten: forgetting = try occurrence.decode()
        case .orderExpired: order = try occurrence.decode(renaming: ["expires_at": "expired_at"])
        case .receiptWaiting, .receiptRefused: receipt = try occurrence.decode()
        case .findingOpened, .findingClosed: finding = try occurrence.decode()
        case .reconciliationCompleted, .reconciliationFailed: reconciliation = try EventReconciliationBody(occurrence)
        case .periodClosed: period = try occurrence.decode()
        case .sealMade: seal = try EventSealBody(occurrence)
        case .endpointEnabled, .endpointDisabled, .endpointDeleted: endpoint = try occurrence.decode()
        default: break
        }
    }
}

extension EventReconciliationBody {
    fileprivate init(_ occurrence: Occurrence) throws(LedgerError) {
        struct Stored: Decodable {
            let id: Int64
            let from: Date
            let to: Date
            let counts: ReconciliationCounts?
            let failure: String?
        }
        let stored: Stored = try occurrence.decode()
        self.init(
            id: stored.id, from: stored.from, to: stored.to, counts: stored.counts?.kinds, failure: stored.failure)
    }
}

extension EventSealBody {
    fileprivate init(_ occurrence: Occurrence) throws(LedgerError) {
        struct Stored: Decodable {
            let id: Int64
            let statement: String
        }
        let stored: Stored = try occurrence.decode()
        guard let seal = SealContent(text: stored.statement) else {
            throw .unexpected("the statement of \(occurrence.subject) can't be read")
        }
        self.init(id: stored.id, sealedAt: seal.sealedAt, entries: seal.entries, head: seal.head)
    }
}
