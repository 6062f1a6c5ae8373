import Foundation
import Testing

@testable import Ledger

/// What is recorded under a key is read for as long as the ledger lives.
///
/// Later versions read it, and so do earlier ones that run beside this one. These are outcomes as they were stored before
/// acts had types of their own.
@Suite(.timeLimit(.minutes(20))) struct StoredOutcomeTests {
    @Test func `a grant is stored as it always was`() throws {
        try expectSame(
            Grant.self,
            #"""
            {"granted":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":5,"journalEntr\#
            yID":21,"lotID":22}}}
            """#)
    }

    @Test func `a spend is stored as it always was`() throws {
        try expectSame(
            Spend.self,
            #"""
            {"spent":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":30,"journalEntry\#
            ID":23,"lots":[{"amount":0,"coins":10,"kind":"bonus","lotID":11},{"amount":200,"coins":20,"kind":"paid",\#
            "lotID":12}]}}}
            """#)
    }

    @Test func `a placed hold is stored as it always was`() throws {
        try expectSame(
            PlaceHold.self,
            #"""
            {"holdPlaced":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"hold":{"captured":\#
            5,"coins":30,"expiresAt":788922000.25,"id":31,"journalEntryID":30,"placedAt":788918400.25,"reference":"s\#
            ession:1","released":4,"status":"open","user":"ann"},"lots":[{"amount":0,"coins":10,"kind":"bonus","lotI\#
            D":11},{"amount":200,"coins":20,"kind":"paid","lotID":12}]}}}
            """#)
    }

    @Test func `a capture is stored as it always was`() throws {
        try expectSame(
            CaptureHold.self,
            #"""
            {"holdCaptured":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":5,"hold":\#
            {"captured":5,"closedAt":788918460.25,"coins":30,"expiresAt":788922000.25,"id":31,"journalEntryID":30,"p\#
            lacedAt":788918400.25,"released":4,"status":"captured","user":"ann"},"journalEntryID":33,"lots":[{"amoun\#
            t":0,"coins":10,"kind":"bonus","lotID":11},{"amount":200,"coins":20,"kind":"paid","lotID":12}],"provider\#
            ":"provider"}}}
            """#)
    }

    @Test func `a capture for a provider with terms is stored as it always was`() throws {
        try expectSame(
            CaptureHold.self,
            #"""
            {"holdCaptured":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":5,"hold":\#
            {"captured":5,"closedAt":788918460.25,"coins":30,"expiresAt":788922000.25,"id":31,"journalEntryID":30,"p\#
            lacedAt":788918400.25,"released":4,"status":"captured","user":"ann"},"journalEntryID":33,"lots":[],"prov\#
            ider":"provider","share":{"amount":160,"basisPoints":8000,"role":"agent","termsID":3}}}}
            """#)
    }

    @Test func `a paid payout is stored as it always was`() throws {
        try expectSame(
            PayPayout.self,
            #"""
            {"payoutPaid":{"_0":{"amount":96700,"entries":3,"payoutID":12,"withheld":3300}}}
            """#)
    }

    @Test func `an adjustment is stored as it always was`() throws {
        try expectSame(
            BookAdjustment.self, #"{"adjustmentBooked":{"_0":{"adjustmentID":12,"journalEntryID":13}}}"#)
    }

    @Test func `a revaluation is stored as it always was`() throws {
        try expectSame(
            BookRevaluation.self, #"{"revaluationBooked":{"_0":{"journalEntryID":13,"revaluationID":12}}}"#)
    }

    @Test func `a capture for nobody is stored as it always was`() throws {
        try expectSame(
            CaptureHold.self,
            #"""
            {"holdCaptured":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":5,"hold":\#
            {"captured":5,"closedAt":788918460.25,"coins":30,"expiresAt":788922000.25,"id":31,"journalEntryID":30,"p\#
            lacedAt":788918400.25,"released":4,"status":"captured","user":"ann"},"journalEntryID":33,"lots":[]}}}
            """#)
    }

    @Test func `a void hold is stored as it always was`() throws {
        try expectSame(
            VoidHold.self,
            #"""
            {"holdVoided":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":4,"hold":{"\#
            captured":5,"closedAt":788918460.25,"coins":30,"expiresAt":788922000.25,"id":31,"journalEntryID":30,"pla\#
            cedAt":788918400.25,"released":4,"status":"voided","user":"ann"}}}}
            """#)
    }

    @Test func `a reversal is stored as it always was`() throws {
        try expectSame(
            ReverseRedemption.self,
            #"""
            {"redemptionReversed":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"coins":5,"jo\#
            urnalEntryID":34,"left":25,"lots":[{"amount":50,"coins":5,"kind":"paid","lotID":12}],"provider":"provider"\#
            ,"redemptionID":33}}}
            """#)
    }

    @Test func `a begun refund is stored as it always was`() throws {
        try expectSame(
            BeginRefund.self,
            #"""
            {"refundBegun":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"refund":{"believe\#
            dBalance":1000,"bonusCoins":9,"charged":1,"coins":100,"currency":{"code":"KRW"},"explanation":"changed m\#
            ind","fee":99,"id":41,"journalEntryID":42,"purchaseID":40,"requestedAt":788918400.25,"status":"pending",\#
            "user":"ann","value":990}}}}
            """#)
    }

    @Test func `an approved refund is stored as it always was`() throws {
        try expectSame(
            BeginRefund.self,
            #"""
            {"refundBegun":{"_0":{"balance":{"bonus":3,"debt":0,"held":0,"paid":70,"user":"ann"},"refund":{"believed\#
            Balance":1000,"bonusCoins":9,"charged":1,"coins":100,"currency":{"code":"KRW"},"explanation":"closed car\#
            d","fee":99,"id":41,"journalEntryID":42,"purchaseID":40,"requestedAt":788918400.25,"reversalEntryID":42,\#
            "status":"approved","transfer":{"taken":[{"amount":990,"coins":100,"kind":"paid","lotID":7}]},"user":"an\#
            n","value":990}}}}
            """#)
    }

    @Test func `a begun refund from before bonus coins were charged is stored as it always was`() throws {
        try expectSame(
            BeginRefund.self,
            #"""
            {"refundBegun":{"_0":{"balance":{"bonus":3,"debt":0,"held":21,"paid":70,"user":"ann"},"refund":{"believe\#
            dBalance":1000,"bonusCoins":9,"coins":100,"currency":{"code":"KRW"},"explanation":"changed mind","fee":9\#
            9,"id":41,"journalEntryID":42,"purchaseID":40,"requestedAt":788918400.25,"status":"pending","user":"ann"\#
            ,"value":990}}}}
            """#)
    }

    @Test(arguments: [
        #"{"refused":{"_0":{"idempotencyKeyReused":{}}}}"#,
        #"{"refused":{"_0":{"noSuchPurchase":{}}}}"#,
        #"{"refused":{"_0":{"insufficientCoins":{"available":5,"required":6}}}}"#,
        #"{"refused":{"_0":{"alreadyExpired":{}}}}"#,
        #"{"refused":{"_0":{"noSuchHold":{}}}}"#,
        #"{"refused":{"_0":{"holdClosed":{"_0":"voided"}}}}"#,
        #"{"refused":{"_0":{"holdExpired":{}}}}"#,
        #"{"refused":{"_0":{"exceedsHold":{"available":8,"required":9}}}}"#,
        #"{"refused":{"_0":{"nothingToRefund":{}}}}"#,
        #"{"refused":{"_0":{"exceedsRefundable":{"available":2,"required":3}}}}"#,
        #"{"refused":{"_0":{"noSuchRedemption":{}}}}"#,
        #"{"refused":{"_0":{"alreadyReversed":{}}}}"#,
        #"{"refused":{"_0":{"exceedsRedemption":{"available":2,"required":3}}}}"#,
        #"{"refused":{"_0":{"userInDebt":{"_0":7}}}}"#,
        #"{"refused":{"_0":{"refundNotApproved":{"_0":"completed"}}}}"#,
        #"{"refused":{"_0":{"exceedsDebt":{"available":2,"required":3}}}}"#,
    ])
    func `a refusal is stored as it always was`(text: String) throws {
        try expectSame(Spend.self, text)
        try expectSame(BeginRefund.self, text)
    }

    @Test func `an outcome of another act is not taken for this one's`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(StoredOutcome<Spend>.self, from: Data(#"{"granted":{"_0":{}}}"#.utf8))
        }
    }

    /// Read, and written again, it is the same text.
    private func expectSame<A: KeyedAct>(
        _: A.Type, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    )
        throws
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let outcome = try JSONDecoder().decode(StoredOutcome<A>.self, from: Data(text.utf8))
        let again = String(decoding: try encoder.encode(outcome), as: UTF8.self)
        #expect(again == text, sourceLocation: sourceLocation)
    }
}
