import Foundation
import TestSupport
import Testing
import WireFormats

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStorePaymentTests {
    @Test(arguments: [
        ("KRW", "1200000", 1200), ("JPY", "160000", 160), ("USD", "990", 99), ("TWD", "30000", 3000),
        ("JOD", "1235", 1235), ("KRW", "0", 0), ("krw", "1200000", 1200),
    ]) func `a price in thousandths of the unit is an amount in minor units, of the whole quantity`(
        currency: String, price: String, amount: Int64
    ) throws {
        let payment = try payment(["currency": "\"\(currency)\"", "price": price, "quantity": "3"])
        #expect(payment.amount == amount && payment.currency == currency.uppercased())
        #expect(payment.store?.price == Int64(price) && payment.store?.refundedPart == 0)
        #expect(payment.store?.items == [StorePurchase.Item(productID: "coins_100", quantity: 3)])
    }

    @Test func `a price in an unknown currency is no amount, and stops no purchase`() throws {
        let payment = try payment(["currency": #""zzz""#, "price": "990"])
        #expect(payment.status == .paid && payment.amount == 0 && payment.currency == "ZZZ")
        #expect(payment.store?.price == 990)
        let revoked = try self.payment(["currency": #""ZZZ""#, "revocationDate": "1794800040000"])
        #expect(revoked.status == .cancelled && revoked.store?.refundedPart == 100_000)
    }

    @Test(
        arguments: [
            ["price": nil], ["currency": nil], ["currency": #""won!""#],
            // 1,200 won in won and not in thousandths, as StoreKit once wrote it: 1.2 won.
            ["price": "1200"], ["price": "1200001"], ["price": "9223372036854775807"],
        ] as [[String: String?]]) func `a price that is none is unreadable, and refuses nobody`(
            changes: [String: String?]
        ) throws
    {
        let error = #expect(throws: GatewayError.self) { try payment(changes) }
        #expect(error?.code == .unreadablePayment && error?.isDefinite == false)
        #expect(error.map(verdict(after:)) == .wait(.gatewayUnavailable))
    }

    @Test(
        arguments: [
            // percentage, quantity, amount, what is given back
            (100_000, 1, 1200, 1200), (50_000, 1, 1200, 600), (33_333, 1, 1200, 400), (33_333, 1, 1000, 333),
            (50_000, 1, 1201, 601), (1, 1, 1200, 0), (99_999, 1, 1200, 1200), (0, 1, 1200, 0),
            (33_333, 3, 3000, 1000), (33_334, 3, 3000, 1000), (66_667, 3, 3000, 2000), (66_666, 3, 3000, 2000),
            (14_286, 7, 7000, 1000), (85_714, 7, 7000, 6000), (50_000, 3, 3000, 1500), (33_333, 3, 299_997, 99_999),
            (33_333, 3, 100_000_000_000_000, 33_333_333_333_333), (100_000, 10, 0, 0),
        ] as [(Int64, Int64, Int64, Int64)])
    func `a refund is the part of the amount that is meant`(
        percentage: Int64, quantity: Int64, amount: Int64, refunded: Int64
    ) {
        #expect(
            AppStoreTransaction.refunded(of: amount, percentage: percentage, quantity: quantity) == refunded)
    }

    @Test func `k of n pieces are exactly so much, however the store rounds`() {
        for quantity in Int64(1)...50 {
            for pieces in 0...quantity {
                let exact = Double(pieces * 100_000) / Double(quantity)
                for percentage in Set([Int64(exact), Int64(exact.rounded()), Int64(exact.rounded(.up))]) {
                    let refunded = AppStoreTransaction.refunded(
                        of: quantity * 1100, percentage: percentage, quantity: quantity)
                    #expect(refunded == pieces * 1100, "\(percentage) of \(quantity)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ([:], GatewayPayment.Status.paid, 0),
            (["revocationDate": "1794800040000"], .cancelled, 1200),
            (["revocationDate": "1794800040000", "revocationPercentage": "100000"], .cancelled, 1200),
            (["revocationDate": "1794800040000", "revocationPercentage": "25000"], .partiallyCancelled, 300),
            (["revocationDate": "1794800040000", "revocationPercentage": "1"], .partiallyCancelled, 0),
            (["revocationDate": "1794800040000", "revocationPercentage": "0"], .paid, 0),
            (["revocationDate": "null"], .paid, 0), (["revocationPercentage": "50000"], .paid, 0),
            (["revocationDate": "1794800040000", "price": "0"], .cancelled, 0),
        ] as [([String: String?], GatewayPayment.Status, Int64)])
    func `what was given back shows in status and amount`(
        changes: [String: String?], status: GatewayPayment.Status, refunded: Int64
    ) throws {
        let payment = try payment(changes)
        #expect(payment.status == status && payment.cancelledAmount == refunded)
        let part = changes["revocationDate"] == "1794800040000" ? changes["revocationPercentage"] ?? "100000" : "0"
        #expect(payment.store?.refundedPart == part.flatMap { Int64($0) })
        #expect(payment.cancellations.map(\.amount) == (status == .paid ? [] : [refunded]))
        #expect(status == .paid || payment.cancelledAt == ManualTime.noon.addingTimeInterval(86_400))
    }

    @Test(arguments: [
        ("revocationDate", "1e300"), ("revocationDate", #""1794800040000""#), ("revocationDate", "-1"),
        ("revocationPercentage", "100001"), ("revocationPercentage", "-1"), ("revocationPercentage", "33.3"),
        ("quantity", "0"), ("quantity", "-1"), ("quantity", "1.5"), ("quantity", "1001"), ("quantity", #""2""#),
        ("price", "-1"), ("price", "1e3"), ("price", #""1200000""#), ("purchaseDate", "1e300"),
        ("purchaseDate", "null"),
        ("transactionId", #""""#), ("transactionId", #""../1""#), ("transactionId", "7"),
        ("originalTransactionId", "null"),
        ("productId", "null"), ("type", "7"), ("inAppOwnershipType", "null"),
    ]) func `a member of money or identity that can't be used is never guessed`(member: String, value: String) {
        var changes: [String: String?] = ["revocationDate": "1794800040000"]
        changes[member] = value
        let error = #expect(throws: SignedDataError.self) { try transaction(changes) }
        #expect(error?.code == .malformed)
    }

    @Test func `what is not reported is nil, and the quantity one`() throws {
        let names = [
            "quantity", "price", "currency", "storefront", "appAccountToken", "appTransactionId", "offerDiscountType",
        ]
        let transaction = try transaction(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }))
        #expect(transaction.quantity == 1 && transaction.price == nil && transaction.currency == nil)
        #expect(transaction.storefront == nil && transaction.accountToken == nil)
        #expect(transaction.appTransactionID == nil && transaction.offerDiscountType == nil)
    }

    @Test func `a token that is no UUID is none`() throws {
        #expect(try transaction(["appAccountToken": #""user-7""#]).accountToken == nil)
    }

    @Test func `what the family shares, and what is not used up, is told`() throws {
        let shared = try payment(["inAppOwnershipType": #""FAMILY_SHARED""#, "type": #""Non-Consumable""#])
        #expect(shared.store?.isFamilyShared == true && shared.store?.isConsumable == false)
        // An ownership of the future is not the buyer's either.
        #expect(try payment(["inAppOwnershipType": #""LENT""#]).store?.isFamilyShared == true)
    }

    @Test func `a purchase in the sandbox is a test payment`() throws {
        #expect(try payment([:], .sandbox).isTest == true)
        #expect(try payment([:], .production).isTest == false)
    }

    @Test(arguments: ["", "a/b", "..", ".", "a b", "é", "１２３", "a\u{0}", String(repeating: "1", count: 65)])
    func `an id that could change a path is none`(text: String) {
        #expect(throws: MalformedIdentifier.self) { try TransactionID(text) }
        #expect(throws: MalformedIdentifier.self) { try AppStoreOrderID(text) }
        #expect(throws: MalformedIdentifier.self) { try AppStore.receipt(paymentID: text, merchantUID: "app-store:1") }
    }

    private func payment(
        _ changes: [String: String?], _ environment: AppStoreEnvironment = .production
    ) throws -> GatewayPayment {
        try transaction(changes, environment).payment()
    }

    private func transaction(
        _ changes: [String: String?], _ environment: AppStoreEnvironment = .production
    ) throws -> AppStoreTransaction {
        let json = try JSONParser.parse(Array(AppStoreHouse.transaction(changes).utf8))
        return try AppStoreTransaction(SignedMembers(json), environment: environment)
    }
}
