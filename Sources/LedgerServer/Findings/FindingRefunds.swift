import Crypto
import Foundation
package import Ledger
import LedgerWire
import PGVerifier
package import WireFormats

/// Gives the payment of a finding back to the payer at the gateway: nothing of it is in the books.
///
/// The whole rest of the payment is cancelled, and the gateway refuses if its rest is another one. So the payment goes
/// back once, however often, and by how many people, it is asked for.
package struct FindingRefunds: Sendable {
    let reviewer: PaymentReviewer

    private var crediter: ReceiptCrediter { reviewer.crediter }
    private var ledger: Ledger { crediter.ledger }
    private var acts: FindingActs { FindingActs(crediter: crediter) }

    /// What is asked for.
    struct Request: Sendable {
        let finding: Int64
        let reason: String
        let caller: String
        /// The account that receives the money, for payment methods that can't return it themselves.
        var account: BankAccount?
        /// What the person saw of the payment; nil: it decides nothing.
        var seen: FindingActs.SeenPayment?
    }

    /// What became of it.
    enum Refunded: Sendable {
        /// The gateway returned the money, now or before.
        case done
        /// The gateway accepted it, and carries it out later.
        case accepted
    }

    /// Whether the gateway of the finding's payment is configured and cancels payments.
    package func canAskGateway(of finding: Finding) -> Bool {
        finding.payment.map { crediter.gateways.canceller(named: $0.gateway) != nil } ?? false
    }

    /// Gives the money back, records who did it, and reviews the payment, which ends the finding.
    ///
    /// The act is recorded before the gateway is asked, so it is known also if the process ends in between; a refusal of
    /// the gateway is a note after it. After an unknown answer, the request is repeated: a payment that is cancelled
    /// already is only reviewed. A receipt that is credited at the same moment is taken back by that review, as for any
    /// cancellation.
    ///
    /// - Throws: `not_found`; `invalid_request` for a finding without a payment; `gateway_off`; `payment_credited`; the
    ///   code of what the payment is; `changed_meanwhile` if it is not as the person saw it; `purchase_disputed`
    ///   while a dispute can give the money back, too; `refund_refused`; `gateway_unavailable` if the gateway gives no
    ///   answer, and the money may be on its way.
    func refund(_ asked: Request) async throws -> Refunded {
        let finding = try await acts.find(asked.finding).finding
        let payment = try FindingActs.payment(of: finding)
        guard let gateway = crediter.gateways.canceller(named: payment.gateway), let receipt = payment.receipt else {
            throw Problem(.gatewayOff)
        }
        let found = try await answer { () throws(GatewayError) in try await gateway.payment(for: receipt) }
        try await requireUncredited(found)
        guard !found.isGivenBack, found.status != .cancelled else {
            _ = try await reviewer.follow(found)
            return .done
        }
        try Self.require(found, asked, isOpen: finding.isOpen)
        guard !found.isAmountUnknown else { throw Self.refused(.invalidAmount, "ISO 4217 has no \(found.currency)") }
        // The gateway carries it out later, and knows its key for some hours only.
        if found.isRestBeingCancelled { return .accepted }
        guard !found.isUnderDispute else { throw Problem(.purchaseDisputed) }
        let rest = try await answer { () throws(GatewayError) in
            try await crediter.gateways.taxFreeRest(of: receipt)
        }
        try await ledger.findings.act(.refund, on: finding.id, by: asked.caller, reason: asked.reason)
        // The gateway compares the whole request under a key, so that of another reason would be refused.
        let reason = try await ledger.findings.firstReason(of: .refund, on: finding.id) ?? asked.reason
        var request = try Self.request(asked, found, receipt, because: reason)
        request.taxFree = rest?.part(of: request.amount)
        return try await cancel(request, asked, at: gateway)
    }

    private func cancel(
        _ request: CancellationRequest, _ asked: Request, at gateway: any CancelsPayments
    ) async throws -> Refunded {
        switch try await answer({ () throws(GatewayError) in try await gateway.cancel(request) }) {
        case .done:
            // If the process ends before the review, the gateway's event brings it.
            _ = try await reviewer.review(request.receipt)
            return .done
        case .pending: return .accepted
        case .refused(let refusal):
            // Somebody else may have been faster.
            let found = try await answer { () throws(GatewayError) in try await gateway.payment(for: request.receipt) }
            if found.cancelledAmount >= found.amount {
                _ = try await reviewer.follow(found)
                return .done
            }
            try await ledger.findings.act(.note, on: asked.finding, by: asked.caller, reason: refusal.note)
            var problem = Self.refused(refusal.reason)
            if let code = refusal.gatewayCode { problem.members.append((name: "gateway_code", value: .string(code))) }
            throw problem
        }
    }

    private static func refused(_ reason: CancellationRefusal.Reason, _ detail: String? = nil) -> Problem {
        Problem(.refundRefused, detail, members: ["reason": .string(reason.rawValue)])
    }

    /// What the gateway says.
    ///
    /// - Throws: `payment_not_found`; `gateway_unavailable`.
    private func answer<Answer>(_ call: () async throws(GatewayError) -> Answer) async throws -> Answer {
        do {
            return try await call()
        } catch {
            throw error.isDefinite && error.code == .notFound
                ? Problem(.paymentNotFound) : Problem(.gatewayUnavailable)
        }
    }

    /// Requires that the payment is not in the books, under whichever of its names, also those that a forgotten user's had.
    private func requireUncredited(_ found: GatewayPayment) async throws {
        let sighting = PaymentSighting(found)
        let credited = try await ledger.purchases.recognise(sighting, after: crediter.rules.forgettingKey)
        guard let purchase = credited else { return }
        throw Problem(.paymentCredited, members: ["purchase_id": .integer(purchase.id)])
    }

    /// Requires that there is money to give back, as much as the person saw.
    private static func require(_ found: GatewayPayment, _ asked: Request, isOpen: Bool) throws(Problem) {
        switch found.status {
        case .paid, .partiallyCancelled: break
        case .cancelled: throw Problem(.paymentCancelled)
        case .ready, .failed, .unknown: throw Problem(.paymentFailed)
        }
        guard let seen = asked.seen else { return }
        guard seen.amount == found.amount, isOpen || !seen.wasOpen else { throw Problem(Refusal.changedMeanwhile) }
    }

    /// The cancellation of all that is left; the same for the same rest, reason and account.
    private static func request(
        _ asked: Request, _ found: GatewayPayment, _ receipt: Receipt, because reason: String
    ) throws -> CancellationRequest {
        let rest = found.amount - found.cancelledAmount
        let account = asked.account.map {
            CancellationRequest.Account(bank: $0.bank, number: $0.number, holder: $0.holder, phone: $0.phone)
        }
        return CancellationRequest(
            receipt: receipt, amount: rest, currency: found.currency, believedBalance: rest,
            key: try key(of: asked.finding, rest, to: asked.account), reason: reason, refundAccount: account)
    }

    /// The cancellation's key at the gateway, which repeats its first answer under a key, also a refusal.
    ///
    /// So after a refusal because of a missing or wrong account, another account makes it another cancellation. The
    /// gateway compares the rest, so at most one of them is carried out.
    static func key(of finding: Int64, _ rest: Int64, to account: BankAccount?) throws -> CancellationKey {
        let key = "ledgerd-finding-\(finding)-\(rest)"
        guard let account else { return try CancellationKey(key) }
        let parts = [account.bank, account.number, account.holder, account.phone ?? ""].joined(separator: "\n")
        let digest = Base64URL.encode(Array(SHA256.hash(data: Data(parts.utf8)).prefix(12)))
        return try CancellationKey("\(key)-\(digest)")
    }
}

/// Gives the payment of a finding back to the payer, as a decision of a person.
package struct FindingRefundOrder: PersonOrder {
    package static let act = AuditAct.refundFinding

    package let finding: Int64
    package let account: BankAccount?

    package init(finding: Int64, account: BankAccount?) {
        self.finding = finding
        self.account = account
    }

    package var parameters: [String: JSON] { ["finding": .integer(finding)] }

    package func target(of _: UserID?) -> String { "finding:\(finding)" }

    package static let decisive = ["amount", "open"]

    package func seen(at desk: ApprovalDesk, of user: UserID?) async throws -> [String: JSON]? {
        try await desk.seen(ofFinding: finding, for: user)
    }

    package func perform(_ terms: PersonOrderTerms) async throws -> [String: JSON] {
        let asked = FindingRefunds.Request(
            finding: finding, reason: terms.reason, caller: terms.key.caller.rawValue, account: account,
            seen: terms.decision.payment)
        switch try await terms.desks.findingRefunds.refund(asked) {
        case .done: return ["finding": .integer(finding), "status": .string("completed")]
        case .accepted: return ["finding": .integer(finding), "status": .string("pending")]
        }
    }

    package init?(_ stored: JSON, account: BankAccount?) {
        guard let finding = stored["finding"]?.integer else { return nil }
        self.init(finding: finding, account: account)
    }
}

extension CancellationRefusal {
    /// What the finding says of it after the act: without it, a refused refund looks like one that is under way.
    fileprivate var note: String {
        let text = "the gateway refused the refund: \(reason.rawValue)"
        // The code is a text of the gateway.
        let code = (gatewayCode ?? "").unicodeScalars.filter { (0x21..<0x7f).contains($0.value) }.prefix(64)
        return code.isEmpty ? text : "\(text), \(String(String.UnicodeScalarView(code)))"
    }
}

extension GatewayPayment {
    /// Whether a dispute may still give the money back to the buyer: one that is not over, or that can't be read.
    ///
    /// One that is over counts as won as long as the payment stands (decision 0156).
    var isUnderDispute: Bool { unreadableDispute != nil || disputes.contains { !$0.isResolved } }
}
