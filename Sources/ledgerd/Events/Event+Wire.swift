import Ledger
import LedgerWire

extension EventBody {
    /// The version of the bodies.
    ///
    /// A change that old readers can't read makes a new one.
    private static let version: Int64 = 1

    init(_ event: Event) {
        let data: EventDataBody =
            switch event.content {
            case .entry(let entry): EventDataBody(entry, of: event.seq)
            case .occurrence(let occurrence): EventDataBody(occurrence, event.type)
            }
        self.init(
            seq: event.seq, type: event.type.rawValue, version: Self.version, recordedAt: event.recordedAt,
            user: event.user?.rawValue, data: data)
    }
}

extension EventPageBody {
    init(_ page: EventPage) {
        self.init(events: page.events.map(EventBody.init), next: page.next, hasMore: page.hasMore)
    }
}

// MARK: - Journal entries

extension EventDataBody {
    /// - Parameter seq: the number of the event.
    fileprivate init(_ entry: EventEntry, of seq: Int64) {
        let parts = EntryParts(entry.fact)
        let isCut = entry.lotCount > entry.lots.count
        self.init(
            journalEntryID: entry.id, effectiveAt: entry.effectiveAt, reason: entry.reason, reference: entry.reference,
            change: entry.change.map(CoinChangeBody.init), balance: entry.balance.map(BalanceBody.init),
            lots: entry.lots.isEmpty ? nil : entry.lots.map(LotUseBody.init),
            lotCount: isCut ? entry.lotCount : nil, allLots: isCut ? "/v1/events/\(seq)/lots" : nil,
            purchase: parts.purchase, clawBack: parts.clawBack, hold: parts.hold, refund: parts.refund, lot: parts.lot,
            reversal: parts.reversal, debtPayment: parts.debtPayment, settlement: parts.settlement,
            payout: parts.payout, repayment: parts.repayment, adjustment: parts.adjustment)
    }
}

/// What an entry is about; each kind of entry has its own members.
private struct EntryParts {
    var purchase: EventPurchaseBody?
    var clawBack: EventClawBackBody?
    var hold: EventHoldBody?
    var refund: EventRefundBody?
    var lot: EventLotBody?
    var reversal: EventReversalBody?
    var debtPayment: EventDebtPaymentBody?
    var settlement: EventSettlementBody?
    var payout: EventPayoutBody?
    var repayment: EventRepaymentBody?
    var adjustment: EventAdjustmentBody?

    init(_ fact: EventEntry.Fact?) {
        switch fact {
        case .purchase(let bought): purchase = EventPurchaseBody(bought)
        case .clawBack(let bought, let amount, let coins, let bonusCoins):
            purchase = EventPurchaseBody(bought)
            clawBack = EventClawBackBody(amount: amount, coins: coins, bonusCoins: bonusCoins)
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
        case .payout(let id, let provider, let amount, let withheld):
            payout = EventPayoutBody(id: id, amount: amount, withheld: withheld, provider: provider)
        case .repayment(let provider, let amount, let paidAt, let bankReference):
            repayment = EventRepaymentBody(
                provider: provider, amount: amount, paidAt: paidAt, bankReference: bankReference)
        case .adjustment(let booked):
            adjustment = EventAdjustmentBody(
                id: booked.id, subject: booked.subject.rawValue, month: booked.month.description, target: booked.target,
                amount: booked.amount)
        case .debtPayment(let coins, let amount, let paidAt, let bankReference):
            debtPayment = EventDebtPaymentBody(
                coins: coins, amount: amount, paidAt: paidAt, bankReference: bankReference)
        case .settlement(let line, let bought):
            purchase = EventPurchaseBody(bought)
            settlement = EventSettlementBody(
                gross: line.gross, fee: line.fee, tax: line.tax, net: line.net, paidOutOn: line.paidOutOn)
        case nil: break
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
            id: purchase.id, gateway: purchase.payment.gateway, impUID: purchase.payment.impUID,
            merchantUID: purchase.payment.merchantUID, paymentID: purchase.payment.paymentID,
            product: purchase.product, amount: purchase.amount, currency: purchase.currency.code,
            coins: purchase.coins, bonusCoins: purchase.bonusCoins, paidAt: purchase.paidAt)
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
            repaymentReference: decision?.repaymentReference)
    }
}

// MARK: - Occurrences

extension EventDataBody {
    fileprivate init(_ occurrence: Occurrence, _ type: EventType) {
        let detail = occurrence.detail
        switch type {
        case .purchaseDisputed, .purchaseDisputeResolved: self.init(dispute: EventDisputeBody(detail))
        case .orderExpired: self.init(order: EventOrderBody(detail))
        case .receiptWaiting, .receiptRefused: self.init(receipt: EventReceiptBody(detail))
        case .findingOpened, .findingClosed: self.init(finding: EventFindingBody(detail))
        case .reconciliationCompleted, .reconciliationFailed:
            self.init(reconciliation: EventReconciliationBody(detail))
        case .payoutProposed, .payoutApproved, .payoutWithdrawn, .payoutPaid:
            self.init(payout: EventPayoutBody(detail))
        case .periodClosed: self.init(period: EventPeriodBody(detail))
        case .sealMade: self.init(seal: EventSealBody(detail))
        case .endpointEnabled, .endpointDisabled, .endpointDeleted: self.init(endpoint: EventEndpointBody(detail))
        default: self.init()
        }
    }
}

extension EventDisputeBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let purchaseID = detail.purchaseID, let payment = detail.payment,
            let amount = detail.amount, let currency = detail.currency, let openedAt = detail.disputedAt
        else { return nil }
        self.init(
            id: id, purchaseID: purchaseID, gateway: payment.gateway, impUID: payment.impUID,
            merchantUID: payment.merchantUID, paymentID: payment.paymentID, amount: amount, currency: currency,
            reason: detail.reason ?? "", openedAt: openedAt, outcome: detail.outcome,
            decidedAt: detail.disputeDecidedAt, decidedBy: detail.decidedBy)
    }
}

extension EventOrderBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let payment = detail.payment, let product = detail.product,
            let amount = detail.amount, let currency = detail.currency, let expiredAt = detail.expiredAt
        else { return nil }
        self.init(
            id: id, gateway: payment.gateway, merchantUID: payment.merchantUID, product: product, amount: amount,
            currency: currency, expiredAt: expiredAt)
    }
}

extension EventReceiptBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let payment = detail.payment, let reason = detail.reason else { return nil }
        self.init(
            gateway: payment.gateway, impUID: payment.impUID, merchantUID: payment.merchantUID,
            paymentID: payment.paymentID, reason: reason)
    }
}

extension EventFindingBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let kinds = detail.kinds else { return nil }
        let payment = detail.payment
        self.init(
            id: id, kinds: kinds, gateway: payment?.gateway, impUID: payment?.impUID,
            merchantUID: payment?.merchantUID, paymentID: payment?.paymentID, amount: detail.amount,
            currency: detail.currency, endpointID: detail.endpointID)
    }
}

extension EventPayoutBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let amount = detail.amount, let withheld = detail.withheld else { return nil }
        self.init(
            id: id, amount: amount, withheld: withheld, providers: detail.providers, cutOff: detail.payoutCutOff,
            by: detail.by, paidAt: detail.bankPaidAt, bankReference: detail.bankReference)
    }
}

extension EventEndpointBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let url = detail.url else { return nil }
        self.init(id: id, url: url, reason: detail.reason)
    }
}

extension EventReconciliationBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let from = detail.periodFrom, let to = detail.periodTo else { return nil }
        self.init(id: id, from: from, to: to, counts: detail.counts?.kinds, failure: detail.failure)
    }
}

extension EventPeriodBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let until = detail.closedUntil, let closedBy = detail.closedBy else { return nil }
        self.init(until: until, closedBy: closedBy)
    }
}

extension EventSealBody {
    fileprivate init?(_ detail: Occurrence.Detail) {
        guard let id = detail.id, let seal = detail.seal else { return nil }
        self.init(id: id, sealedAt: seal.sealedAt, entries: seal.entries, head: seal.head)
    }
}
