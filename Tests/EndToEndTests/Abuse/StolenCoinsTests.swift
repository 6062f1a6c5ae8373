import TestSupport
import Testing

/// A stranger tries to get the coins of another's payment, where orders are not required.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StolenCoinsTests {
    @Test func `every wrong guess gets the same answer, until the budget is spent`() async throws {
        try await House.open { house, gateway, service in
            let victims = try await gateway.pay("1000", #", "status": "ready""#)
            var answers: [Answer] = []
            // One by one, so that the answers are known by what they are to: none, and another's under a wrong name.
            for number in 0..<10 {
                let guess = Payment(
                    impUID: number % 2 == 0 ? "imp_\(number)" : victims.impUID, merchantUID: "ios_key_\(number)")
                answers.append(try await service.present(guess, by: "eve"))
            }
            #expect(answers.allSatisfy { $0.status == 404 && $0.code == "payment_not_found" }, "\(answers)")
            #expect(Set(answers.map { Self.withoutRequestID($0) }).count == 1)

            let statuses = try await withThrowingTaskGroup(of: Answer.self) { group in
                var answers: [Answer] = []
                for number in 10..<Effort.count(300, upTo: 5000) {
                    if number >= 16, let answer = try await group.next() { answers.append(answer) }
                    group.addTask {
                        try await service.present(
                            Payment(impUID: victims.impUID, merchantUID: "ios_key_\(number)"), by: "eve")
                    }
                }
                for try await answer in group { answers.append(answer) }
                return answers
            }
            #expect(statuses.count { $0.status == 404 } == 20, "30 in an hour")
            let refused = statuses.filter { $0.status != 404 }
            #expect(refused.allSatisfy { $0.status == 429 && $0.headers["Retry-After"] != nil })
            #expect(refused.contains { $0.code == "too_many_refused_receipts" && $0.isProblem })
            #expect(try await gateway.journal("/payments").count < 60, "the gateway hears of few of them")

            let other = try await house.serve(at: gateway)
            let elsewhere = try await other.present(.unmade(), by: "eve")
            #expect(elsewhere.code == "too_many_refused_receipts", "all processes share the budget: \(elsewhere)")
            #expect(try await house.books.count("SELECT count(*) FROM receipt_refusal") == 1)
            #expect(try await service.present(gateway.pay(), by: "ann").status == 201)
            try await house.books.execute("UPDATE receipt_refusal SET window_ends_at = now()")
            let next = try await house.serve(at: gateway)
            #expect(try await next.present(.unmade(), by: "eve").status == 404, "a budget is for an hour")
        }
    }

    @Test func `a wrong name for another user's purchase gets no information`() async throws {
        try await House.open { house, gateway, service in
            let paid = try await service.credited(try await gateway.pay())
            let guess = try await service.present(Payment(impUID: paid.impUID, merchantUID: "wrong"), by: "eve")
            let invented = try await service.present(.unmade(), by: "eve")
            #expect(guess.status == 404 && Self.withoutRequestID(guess) == Self.withoutRequestID(invented), "\(guess)")
        }
    }

    @Test func `a waiting payment that two users presented goes to nobody, and a person is asked`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready", "version": "V1""#)
            for user in ["eve", "ann"] { #expect(try await service.present(payment, by: user).status == 202) }
            try await gateway.change(payment, to: "paid")
            try await eventually("both are decided") {
                try await house.books.makeReceiptsDue()
                return try await house.books.receipts("waiting") == 0
            }
            #expect(
                try await house.books.texts("SELECT reason FROM receipt_retry")
                    == ["claimed_by_several", "claimed_by_several"])
            for user in ["eve", "ann"] {
                let again = try await service.present(payment, by: user)
                #expect(again.status == 409 && again.code == "claimed_by_several" && again.isProblem, "\(again)")
                #expect(try await service.coins(of: user) == 0)
            }
            #expect(try await house.books.purchases == 0)
            let findings = try await service.findings()
            #expect(findings.count == 1 && findings[0]["kind"] == "claimed_by_several", "\(findings)")
            let claims = findings[0]["claims"].elements
            #expect(claims.map { $0["user"] } == ["eve", "ann"])
            let times = claims.compactMap { $0["claimed_at"].text }
            #expect(times.count == 2 && times == times.sorted())
        }
    }

    @Test func `a user who claimed a payment before it was paid waits for the user who paid`() async throws {
        try await House.open(["LEDGERD_CLAIM_GRACE": "1h"]) { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "status": "ready""#)
            #expect(try await service.present(payment, by: "eve").status == 202)
            try await gateway.change(payment, to: "paid")
            let early = try await service.present(payment, by: "eve")
            #expect(early.status == 202 && early.code == "claim_pending", "\(early)")
            let victim = try await service.present(payment, by: "ann")
            #expect(victim.status == 409 && victim.code == "claimed_by_several", "\(victim)")
            try await house.books.makeReceiptsDue()
            try await eventually("eve's is decided") { try await house.books.receipts("waiting") == 0 }
            #expect(try await house.books.purchases == 0)
            let findings = try await service.findings()
            #expect(findings.map { $0["claims"].elements.map { $0["user"] } } == [["eve", "ann"]], "\(findings)")
        }
    }

    @Test func `the only user who presented a payment is credited after the grace period`() async throws {
        try await House.withTime { time in
            try await House.open(["LEDGERD_CLAIM_GRACE": "10m"]) { house, gateway, service in
                let payment = try await gateway.pay("1000", #", "status": "ready""#)
                #expect(try await service.present(payment).status == 202)
                try await gateway.change(payment, to: "paid")
                #expect(try await service.present(payment).code == "claim_pending")
                await time.advance(by: .seconds(600))
                try await house.books.makeReceiptsDue()
                try await eventually("it is credited") { try await service.coins() == 100 }
                let paid = try await gateway.pay()
                #expect(try await service.present(paid).status == 201, "who presents what is paid waits for nothing")
                try await house.expectSound()
            }
        }
    }

    @Test func `a payment that names its user is credited to nobody else`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = Hooks.v2Settings(at: gateway).merging(["LEDGERD_CLAIM_GRACE": "1h"]) { $1 }
            let service = try await house.serve(at: gateway, settings)
            let waiting = try await gateway.pay("1000", #", "status": "ready", "custom_data": {"user_id": "ann"}"#)
            for user in ["eve", "ann"] { #expect(try await service.present(waiting, by: user).status == 202) }
            try await gateway.change(waiting, to: "paid")
            try await house.books.makeReceiptsDue()
            try await eventually("both are decided") { try await house.books.receipts("waiting") == 0 }
            #expect(try await service.coins(of: "ann") == 100)
            #expect(try await service.coins(of: "eve") == 0)

            for members in [#", "custom_data": {"userId": "ann"}"#, #", "customer_uid": "ann""#] {
                let paid = try await gateway.pay("1000", #", "version": "V2""# + members)
                let thief = try await service.present(paymentID: paid.merchantUID, by: "eve")
                #expect(thief.status == 409 && thief.code == "receipt_belongs_to_another_user", "\(thief)")
                #expect(try await service.present(paymentID: paid.merchantUID).status == 201)
            }
            #expect(try await service.coins(of: "eve") == 0)
            try await house.expectSound()
        }
    }

    private static func withoutRequestID(_ answer: Answer) -> String {
        answer.text.replacing(answer.json["request_id"].text ?? "", with: "")
    }
}
