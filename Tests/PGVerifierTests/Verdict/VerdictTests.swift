import FoundationEssentials
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct VerdictTests {
    @Test func `a paid payment at the price of an offer is credited`() throws {
        #expect(try judge(payment()) == credit(thousand, payment()))
    }

    @Test(arguments: [
        (GatewayPayment.Status.ready, Verdict.wait(.awaitingPayment)),
        (.unknown("pending"), .wait(.unknownStatus)),
        (.failed, .refuse(.paymentFailed)),
        (.cancelled, .refuse(.paymentCancelled)),
        (.partiallyCancelled, .refuse(.paymentPartiallyCancelled)),
    ])
    func `whatever isn't paid is decided by its status`(status: GatewayPayment.Status, expected: Verdict) throws {
        #expect(try judge(payment(status: status)) == expected)
    }

    @Test(arguments: [GatewayPayment.Status.paid, .cancelled, .partiallyCancelled])
    func `how much is cancelled follows from the amounts, not from the status`(status: GatewayPayment.Status) throws {
        #expect(try judge(payment(status: status, cancelled: 1)) == .refuse(.paymentPartiallyCancelled))
        #expect(try judge(payment(status: status, cancelled: 999)) == .refuse(.paymentPartiallyCancelled))
        #expect(try judge(payment(status: status, cancelled: 1000)) == .refuse(.paymentCancelled))
        #expect(try judge(payment(status: status, cancelled: 1001)) == .refuse(.paymentCancelled))
    }

    @Test func `an amount that is nobody's price is refused`() throws {
        for amount in [Int64.min, -1000, -1, 0, 1, 999, 1001, .max] {
            #expect(try judge(payment(amount: amount)) == .refuse(.amountMismatch))
        }
    }

    @Test func `a payment in a currency in which nothing is sold is refused for that, whatever its amount`() throws {
        #expect(try judge(payment(currency: "USD")) == .refuse(.currencyMismatch))
        #expect(try judge(payment(amount: 100_000, currency: "USD")) == .refuse(.currencyMismatch))
    }

    @Test func `a test payment is credited only where the policy allows it`() throws {
        #expect(try judge(payment(isTest: true)) == .refuse(.testPayment))
        let allowing = VerdictPolicy(allowTestPayments: true)
        #expect(try judge(payment(isTest: true), allowing) == credit(thousand, payment(isTest: true)))
    }

    @Test func `an unknown channel is refused only where the policy is strict`() throws {
        #expect(try judge(payment(isTest: nil)) == credit(thousand, payment(isTest: nil)))
        let strict = VerdictPolicy(refuseUnknownChannel: true)
        #expect(try judge(payment(isTest: nil), strict) == .refuse(.testPayment))
        #expect(try judge(payment(isTest: false), strict) == credit(thousand, payment()))
    }

    @Test func `an answer about another payment says nothing`() throws {
        #expect(try judge(payment(impUID: "imp_2")) == .wait(.gatewayUnavailable))
    }

    @Test func `another merchant_uid is refused before anything about the payment is shown`() throws {
        for status in [GatewayPayment.Status.paid, .ready, .failed, .cancelled] {
            #expect(
                try judge(payment(merchantUID: "order-2", status: status, isTest: true))
                    == .refuse(.merchantUIDMismatch))
        }
    }

    @Test func `nothing is credited unless every rule allows it`() throws {
        let statuses: [GatewayPayment.Status] = [
            .ready, .paid, .failed, .cancelled, .partiallyCancelled, .unknown("new"),
        ]
        for status in statuses {
            for amount in [Int64(-1), 0, 999, 1000, 5000] {
                for cancelled in [Int64(-1), 0, 1, 1000, 5000] {
                    try checkCreditRule(status, amount, cancelled)
                }
            }
        }
    }

    private func checkCreditRule(_ status: GatewayPayment.Status, _ amount: Int64, _ cancelled: Int64) throws {
        let policies = [(false, false), (true, false), (false, true)]
        for currency in ["KRW", "USD"] {
            for isTest in [true, false, nil] as [Bool?] {
                for (isAllowed, isStrict) in policies {
                    let isTestAllowed = isAllowed || isTest == false || (isTest == nil && !isStrict)
                    let isWhole = status == .paid && cancelled == 0
                    let isPrice = [1000, 5000].contains(amount) && currency == "KRW"
                    let payment = payment(
                        status: status, amount: amount, cancelled: cancelled, currency: currency, isTest: isTest)
                    let policy = VerdictPolicy(allowTestPayments: isAllowed, refuseUnknownChannel: isStrict)
                    let verdict = try judge(payment, policy)
                    #expect(verdict.isCredit == (isTestAllowed && isWhole && isPrice), "\(payment) \(policy)")
                }
            }
        }
    }

    @Test func `only the gateway's own word about the payment refuses it`() {
        let definite = GatewayError(.notFound, isDefinite: true, httpStatus: 404, message: "")
        #expect(verdict(after: definite) == .refuse(.paymentNotFound))
        for code in [GatewayError.Code.notFound, .timeout, .serverError, .unauthorized, .refused, .malformedAnswer] {
            #expect(verdict(after: GatewayError(code, message: "")) == .wait(.gatewayUnavailable))
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct OfferMatchingTests {
    private let change = Date(timeIntervalSince1970: 1_000_000)

    @Test func `a price that ended is kept for a payment begun before`() throws {
        let begun = payment(startedAt: change - 60, paidAt: change + 86_400)
        #expect(try judge(begun, offers: [old]) == credit(old, begun))
    }

    @Test func `a price that ended is kept for the grace, and no longer`() throws {
        let policy = VerdictPolicy(offerGrace: .seconds(600))
        let within = payment(startedAt: change + 599, paidAt: change + 700)
        #expect(try judge(within, policy, offers: [old]) == credit(old, within))
        let late = payment(startedAt: change + 600, paidAt: change + 700)
        #expect(try judge(late, policy, offers: [old]) == .refuse(.amountMismatch))
    }

    @Test func `an offer isn't sold before it begins, but for what the gateway's clock may be behind`() throws {
        let policy = VerdictPolicy(clockSkew: .seconds(60))
        let early = payment(startedAt: change - 120, paidAt: change - 61)
        #expect(try judge(early, policy, offers: [new]) == .refuse(.amountMismatch))
        let behind = payment(startedAt: change - 61, paidAt: change - 60)
        #expect(try judge(behind, policy, offers: [new]) == credit(new, behind))
    }

    @Test func `of two versions at one price the one active when it was paid counts, in any order`() throws {
        let later = payment(startedAt: change - 60, paidAt: change + 60)
        #expect(try judge(later, offers: [old, new]) == credit(new, later))
        #expect(try judge(later, offers: [new, old]) == credit(new, later))
        let early = payment(startedAt: change - 60, paidAt: change - 30)
        #expect(try judge(early, offers: [new, old]) == credit(old, early))
    }

    @Test func `of two versions active at once the newest counts, then the highest id`() throws {
        var newer = thousand
        newer.id = 0
        newer.activeFrom += 1
        #expect(try judge(payment(), offers: [newer, thousand]) == credit(newer, payment()))
        var twin = thousand
        twin.id = 99
        #expect(try judge(payment(), offers: [twin, thousand]) == credit(twin, payment()))
    }

    @Test func `a payment without any time buys only what is still sold`() throws {
        let timeless = payment(startedAt: nil, paidAt: nil)
        #expect(try judge(timeless, offers: [old]) == .refuse(.amountMismatch))
        #expect(try judge(timeless, offers: [old, new]) == credit(new, timeless))
    }

    @Test func `without offers nothing is credited`() throws {
        #expect(try judge(payment(), offers: []) == .refuse(.amountMismatch))
    }

    private var old: Offer {
        Offer(id: 1, price: 1000, currency: "KRW", activeFrom: .distantPast, activeUntil: change)
    }

    private var new: Offer { Offer(id: 2, price: 1000, currency: "KRW", activeFrom: change) }
}

private let thousand = Offer(id: 1, price: 1000, currency: "KRW", activeFrom: Date(timeIntervalSince1970: 0))
private let fiveThousand = Offer(id: 2, price: 5000, currency: "KRW", activeFrom: Date(timeIntervalSince1970: 0))

private func payment(
    impUID: String = "imp_1", merchantUID: String = "order-1", status: GatewayPayment.Status = .paid,
    amount: Int64 = 1000, cancelled: Int64 = 0, currency: String = "KRW", isTest: Bool? = false,
    startedAt: Date? = Date(timeIntervalSince1970: 500), paidAt: Date? = Date(timeIntervalSince1970: 560)
) -> GatewayPayment {
    GatewayPayment(
        gateway: "portone-v1", paymentID: impUID, merchantUID: merchantUID, status: status, amount: amount,
        cancelledAmount: cancelled, currency: currency, isTest: isTest, startedAt: startedAt, paidAt: paidAt)
}

private func judge(
    _ payment: GatewayPayment, _ policy: VerdictPolicy = VerdictPolicy(), offers: [Offer] = [thousand, fiveThousand]
) throws -> Verdict {
    let receipt = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1"))
    return verdict(receipt: receipt, payment: payment, expectation: .offers(offers), policy: policy)
}

private func credit(_ offer: Offer, _ payment: GatewayPayment) -> Verdict {
    .credit(Verdict.Credit(offerID: offer.id, payment: payment))
}

extension Verdict {
    fileprivate var isCredit: Bool {
        if case .credit = self { true } else { false }
    }
}
