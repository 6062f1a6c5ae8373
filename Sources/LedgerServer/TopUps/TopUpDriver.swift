import Foundation
import Ledger
import Logging
import PGVerifier

/// Attempts charges of automatic top-up: performs the effects of ``TopUpSaga``.
struct TopUpDriver: Sendable {
    let reviewer: PaymentReviewer
    let rules: TopUpRules
    let logger: Logger

    private var ledger: Ledger { reviewer.crediter.ledger }

    /// How long a consent rests after a failed charge.
    static let restAfterFailure = Duration.seconds(3600)

    /// Asks the gateway, or looks the order up, and books its final answer.
    ///
    /// - Throws: ``LedgerError`` when the books can't be read or written.
    func drive(_ pending: PendingTopUp) async throws(LedgerError) -> TopUpSaga.Progress {
        guard let gateway = reviewer.crediter.gateways.charger(named: pending.gateway) else { return .unknown }
        return try await TopUpSaga(pending: pending).run { effect throws(LedgerError) in
            switch effect {
            case .beginAsking:
                return .asking(
                    try await ledger.pendingTopUps.beginAsking(
                        pending, in: rules.timeZone, mostADay: rules.mostADay))
            case .charge(let asking):
                let charge = try BillingKeyCharge(asking)
                return await ask(pending) { () throws(GatewayError) in .answered(try await gateway.charge(charge)) }
            case .withdraw(let time):
                try await ledger.pendingTopUps.wasNotAsked(pending, at: time)
                return .stored
            case .lookUp:
                return try await lookUp(pending, at: gateway)
            case .credit(let payment):
                _ = try await reviewer.follow(payment)
                return .credited(try await ledger.pendingTopUps.decision(of: pending) == .credited)
            case .fail(let failure):
                try await fail(pending, because: failure)
                return .stored
            }
        }
    }

    /// The order's payments, by the name that the charge has now.
    private func lookUp(
        _ pending: PendingTopUp, at gateway: any ChargesBillingKeys
    ) async throws(LedgerError) -> TopUpSaga.Event {
        guard let name = try await ledger.pendingTopUps.order(of: pending), let order = try? MerchantUID(name) else {
            throw .unexpected("a charge that was asked for has no order")
        }
        return await ask(pending) { () throws(GatewayError) in
            .payments(try await gateway.payments(ofOrder: order))
        }
    }

    private func ask(
        _ pending: PendingTopUp, _ call: () async throws(GatewayError) -> TopUpSaga.Event
    ) async -> TopUpSaga.Event {
        do {
            let event = try await call()
            if case .answered(.refused(let error)) = event {
                logger.info("the gateway refused a top-up", metadata: ["id": "\(pending.id)", "error": "\(error)"])
            }
            return event
        } catch {
            logger.warning("the result of a top-up is unknown", metadata: ["id": "\(pending.id)", "error": "\(error)"])
            return .gatewayFailed(mayHaveBeenCarriedOut: error.mayHaveBeenCarriedOut)
        }
    }

    /// A payment that can't be credited needs a person, so one is enough.
    private func fail(_ pending: PendingTopUp, because failure: TopUpSaga.Failure) async throws(LedgerError) {
        try await ledger.pendingTopUps.fail(
            pending, because: failure.rawValue, rest: Self.restAfterFailure,
            most: failure == .notCredited ? 1 : rules.mostFailures)
    }
}

extension BillingKeyCharge {
    /// What was announced.
    fileprivate init(_ asking: PendingTopUp.Asking) throws(LedgerError) {
        guard let order = try? MerchantUID(asking.merchantUID) else {
            throw .unexpected("the order of a charge has no usable id")
        }
        self.init(
            order: OrderAmount(merchantUID: order, amount: asking.amount, currency: Currency.won.code),
            billingKey: Secret(asking.billingKey), askedAt: asking.at, title: asking.title,
            isTaxFree: asking.vat == .exempt)
    }
}
