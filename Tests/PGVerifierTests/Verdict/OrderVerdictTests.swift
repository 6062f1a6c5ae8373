import FoundationEssentials
import Testing

@testable import PGVerifier

/// Every combination of what the gateway said, what was ordered and what is booked, with the verdict that the rules
/// give, written down a second time and in another way.
@Suite(.timeLimit(.minutes(20))) struct OrderVerdictTests {
    @Test func `every case has the verdict of the first rule that applies`() throws {
        var count = 0
        for scenario in Scenario.all {
            let verdict = try scenario.verdict()
            #expect(verdict == scenario.expected, "\(scenario)")
            count += 1
        }
        #expect(count == 6 * 3 * 3 * 2 * 6 * 3 * 2)
    }

    @Test func `coins are credited in one case of all: paid whole, as ordered, by nobody before`() throws {
        let credits = try Scenario.all.filter { scenario in
            if case .credit = try scenario.verdict() { true } else { false }
        }
        #expect(
            credits.allSatisfy { credit in
                credit.status == .paid && credit.cancelled == 0 && credit.amount == 1000 && credit.currency == "KRW"
                    && credit.credited == .no && !credit.isTest && [.mine, .late].contains(credit.order)
            })
        #expect(credits.count == 2)
    }

    @Test func `a price in time is kept for a virtual account that is paid days later`() throws {
        #expect(try judge(startedAt: -60, paidAt: 3 * 86_400) == credit(startedAt: -60, paidAt: 3 * 86_400))
    }

    @Test func `money that was taken within the grace gets its coins, later it is to be given back`() throws {
        #expect(try judge(startedAt: 3600, paidAt: 3660) == credit(startedAt: 3600, paidAt: 3660))
        #expect(try judge(startedAt: 3601, paidAt: 3660) == .refuse(.orderExpired))
    }

    @Test func `a payment without any time is in time`() throws {
        #expect(try judge(startedAt: nil, paidAt: nil) == credit(startedAt: nil, paidAt: nil))
    }

    @Test func `that an order was credited is shown only for a payment that is right in itself`() throws {
        #expect(try judge(startedAt: 0, paidAt: 0, state: .credited) == .refuse(.orderAlreadyCredited))
        #expect(try judge(startedAt: 0, paidAt: 0, amount: 999, state: .credited) == .refuse(.amountMismatch))
        #expect(try judge(startedAt: 9e9, paidAt: 9e9, state: .credited) == .refuse(.orderAlreadyCredited))
    }

    @Test func `a webhook's payment is the order's own user's`() throws {
        #expect(try judge(startedAt: 0, paidAt: 0, presenter: nil) == credit(startedAt: 0, paidAt: 0))
        #expect(try judge(startedAt: 0, paidAt: 0, presenter: "u2") == .refuse(.orderBelongsToAnotherUser))
    }

    @Test func `users whose names only look alike are two`() throws {
        var order = order(expiresAt: expiry)
        order.user = "Am\u{e9}lie"
        for (presenter, expected) in [
            ("Am\u{e9}lie", credit(startedAt: 0, paidAt: 0)),
            ("Ame\u{301}lie", .refuse(.orderBelongsToAnotherUser)),
        ] {
            let verdict = verdict(
                receipt: try theReceipt, payment: payment(startedAt: 0, paidAt: 0), expectation: .order(order),
                policy: VerdictPolicy(), books: Bookkeeping(presenter: presenter))
            #expect(verdict == expected)
        }
    }

    @Test func `a cancellation under way keeps the coins back until it is decided`() throws {
        for (status, expected) in [
            (GatewayCancellation.Status.requested, Verdict.wait(.cancellationPending)),
            (.unknown("NEW"), .wait(.cancellationPending)),
        ] {
            var payment = payment(startedAt: 0, paidAt: 0)
            payment.cancellations = [GatewayCancellation(id: "c", status: status, amount: 1000)]
            #expect(try judge(payment) == expected)
        }
        var payment = payment(startedAt: 0, paidAt: 0)
        payment.cancellations = [GatewayCancellation(id: "c", status: .failed, amount: 1000)]
        #expect(try judge(payment) == .credit(Verdict.Credit(offerID: 7, payment: payment)))
    }

    @Test func `a V2 receipt is judged by its payment id, and V1's answer to it is none`() throws {
        var payment = payment(startedAt: 0, paidAt: 0)
        payment.gateway = PortOneV2.name
        payment.merchantPaymentID = "order-1"
        let receipt = Receipt.v2(paymentID: try PaymentID("order-1"))
        #expect(try judge(payment, receipt) == .credit(Verdict.Credit(offerID: 7, payment: payment)))
        payment.merchantPaymentID = "order-2"
        #expect(try judge(payment, receipt) == .wait(.gatewayUnavailable))
        payment.merchantPaymentID = "order-1"
        payment.gateway = PortOneV1.name
        #expect(try judge(payment, receipt) == .wait(.gatewayUnavailable))
    }

    private func judge(
        startedAt: Double?, paidAt: Double?, amount: Int64 = 1000, state: ExpectedOrder.State = .open,
        presenter: String? = "u1"
    ) throws -> Verdict {
        try judge(
            payment(startedAt: startedAt, paidAt: paidAt, amount: amount), state: state, presenter: presenter)
    }

    private func judge(
        _ payment: GatewayPayment, _ receipt: Receipt? = nil, state: ExpectedOrder.State = .open,
        presenter: String? = "u1"
    ) throws -> Verdict {
        verdict(
            receipt: try receipt ?? theReceipt, payment: payment,
            expectation: .order(order(expiresAt: expiry, state: state)), policy: VerdictPolicy(),
            books: Bookkeeping(presenter: presenter))
    }

    private func payment(startedAt: Double?, paidAt: Double?, amount: Int64 = 1000) -> GatewayPayment {
        GatewayPayment(
            gateway: PortOneV1.name, paymentID: "imp_1", merchantUID: "order-1", status: .paid, amount: amount,
            currency: "KRW", isTest: false, startedAt: startedAt.map { expiry + $0 }, paidAt: paidAt.map { expiry + $0 }
        )
    }

    private func credit(startedAt: Double?, paidAt: Double?) -> Verdict {
        .credit(Verdict.Credit(offerID: 7, payment: payment(startedAt: startedAt, paidAt: paidAt)))
    }
}

private let expiry = Date(timeIntervalSince1970: 1_700_000_000)

private var theReceipt: Receipt {
    get throws { .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1")) }
}

private func order(
    user: String = "u1", merchantUID: String = "order-1", expiresAt: Date? = nil, state: ExpectedOrder.State = .open
) -> ExpectedOrder {
    ExpectedOrder(
        merchantUID: merchantUID, amount: 1000, currency: "KRW", offerID: 7, user: user, expiresAt: expiresAt,
        state: state)
}

/// One row of the table.
private struct Scenario: CustomStringConvertible {
    enum Order: CaseIterable {
        case absent
        case mine
        case anothers
        /// Expired, and paid within the grace.
        case late
        /// Expired, and paid after the grace.
        case tooLate
        case credited
    }

    let status: GatewayPayment.Status
    let cancelled: Int64
    let amount: Int64
    let currency: String
    let order: Order
    let credited: Bookkeeping.CreditState
    let isTest: Bool

    var description: String {
        "\(status), cancelled \(cancelled) of \(amount) \(currency), order \(order), credited \(credited), test \(isTest)"
    }

    static var all: [Scenario] {
        var all: [Scenario] = []
        for status in [GatewayPayment.Status.ready, .paid, .failed, .cancelled, .partiallyCancelled, .unknown("new")] {
            for cancelled in [Int64(0), 400, 1000] {
                for amount in [Int64(999), 1000, 1001] {
                    for currency in ["KRW", "USD"] {
                        for order in Order.allCases {
                            for credited in Bookkeeping.CreditState.allCases {
                                for isTest in [false, true] {
                                    all.append(
                                        Scenario(
                                            status: status, cancelled: cancelled, amount: amount, currency: currency,
                                            order: order, credited: credited, isTest: isTest))
                                }
                            }
                        }
                    }
                }
            }
        }
        return all
    }

    func verdict() throws -> Verdict {
        PGVerifier.verdict(
            receipt: try theReceipt, payment: payment, expectation: expectation, policy: VerdictPolicy(),
            books: Bookkeeping(presenter: "u1", credited: credited))
    }

    /// The rules as a table: each with the verdict it gives, in order; the first that applies counts.
    var expected: Verdict {
        let isCancelled = [.cancelled, .partiallyCancelled].contains(status)
        let isWhole = cancelled == 0 && !isCancelled
        let isLeft = cancelled > 0 ? cancelled < amount : status == .partiallyCancelled
        let rules: [(Bool, Verdict)] = [
            (credited == .toPresenter, .alreadyCredited),
            (credited == .toAnother, .refuse(.receiptBelongsToAnotherUser)),
            (order == .absent, .refuse(.orderNotFound)),
            (order == .anothers, .refuse(.orderBelongsToAnotherUser)),
            (isTest, .refuse(.testPayment)),
            (status == .ready, .wait(.awaitingPayment)),
            (status == .unknown("new"), .wait(.unknownStatus)),
            (status == .failed, .refuse(.paymentFailed)),
            (!isWhole && isLeft, .refuse(.paymentPartiallyCancelled)),
            (!isWhole, .refuse(.paymentCancelled)),
            (currency != "KRW", .refuse(.currencyMismatch)),
            (amount != 1000, .refuse(.amountMismatch)),
            (order == .credited, .refuse(.orderAlreadyCredited)),
            (order == .tooLate, .refuse(.orderExpired)),
        ]
        return rules.first { $0.0 }?.1 ?? .credit(Verdict.Credit(offerID: 7, payment: payment))
    }

    private var payment: GatewayPayment {
        GatewayPayment(
            gateway: PortOneV1.name, paymentID: "imp_1", merchantUID: "order-1", status: status, amount: amount,
            cancelledAmount: cancelled, currency: currency, isTest: isTest, startedAt: expiry - 60, paidAt: expiry)
    }

    private var expectation: PGVerifier.Expectation {
        switch order {
        case .absent: .noOrder
        case .mine: .order(PGVerifierTests.order())
        case .anothers: .order(PGVerifierTests.order(user: "u2"))
        case .late: .order(PGVerifierTests.order(expiresAt: expiry - 3600))
        case .tooLate: .order(PGVerifierTests.order(expiresAt: expiry - 3661))
        case .credited: .order(PGVerifierTests.order(state: .credited))
        }
    }
}
