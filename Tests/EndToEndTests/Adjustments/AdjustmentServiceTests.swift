import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Accounting policies and adjustments over HTTP and by command.
@Suite(.timeLimit(.minutes(20))) struct AdjustmentServiceTests {
    private static let finance = Token.finance()
    private static let january = "/v1/accounting-policies/breakage/2020-01"

    @Test func `finance sets a policy, previews it, and adjusts a month`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            func set(_ path: String, _ body: String) async throws -> Answer {
                try await service.send(
                    .put, path, as: Self.finance, headers: [("Content-Type", "application/json")], body: body)
            }
            func book(_ key: String, _ subject: String, _ month: String) async throws -> Answer {
                try await service.post(
                    "/v1/adjustments", #"{"subject": "\#(subject)", "month": "\#(month)"}"#, key: key, as: Self.finance)
            }
            #expect(try await book("a", "breakage", "2020-01").code == "no_accounting_policy")
            let policy = try await set(Self.january, #"{"method": "expected_pattern", "expected": 100}"#)
            #expect(policy.status == 200 && policy.json["highly_probable"] == 100, "\(policy)")
            #expect(policy.json["set_by"].text == "a-clerk" && policy.json["bonus_price"].text == nil)
            #expect(
                try await set(Self.january, #"{"method": "expected_pattern", "expected": 100}"#).json == policy.json)
            for wrong in [
                #"{"method": "relative_price"}"#, #"{"method": "expected_pattern"}"#, "{}",
                #"{"method": "expected_pattern", "expected": 1000}"#, #"{"method": "at_expiry", "expected": 1}"#,
            ] {
                #expect(try await set(Self.january, wrong).status == 400, "\(wrong)")
            }
            for path in ["breakage/2020-13", "rent/2020-01"] {
                #expect(try await set("/v1/accounting-policies/" + path, #"{"method": "none"}"#).status == 404)
            }

            let preview = try await service.get(
                "/v1/adjustments/preview?subject=breakage&month=2020-01", as: Self.finance)
            #expect(preview.json["policy"]["id"] == policy.json["id"] && preview.json["amount"] == 0, "\(preview)")
            let booked = try await book("b", "breakage", "2020-01")
            #expect(booked.status == 200 && booked.json["amount"] == 0, "\(booked)")
            #expect(booked.json["journal_entry_id"].integer == nil && booked.json["cohorts"].elements.isEmpty)
            let again = try await book("b", "breakage", "2020-01")
            #expect(again.json == booked.json && again.headers["Idempotent-Replayed"] == "true")
            #expect(try await book("b", "breakage", "2020-02").code == "idempotency_key_reused")
            let early = try await book("c", "breakage", "2019-12")
            #expect(early.code == "month_adjusted" && early.json["month"] == "2020-01", "\(early)")
            #expect(try await book("d", "breakage", "2098-01").code == "period_not_over")
            #expect(try await book("e", "breakage", "soon").status == 400)
            let late = try await set(Self.january, #"{"method": "at_expiry"}"#)
            #expect(late.code == "month_adjusted" && late.json["month"] == "2020-01", "\(late)")
            let id = booked.json["id"].integer ?? 0
            #expect(try await service.get("/v1/adjustments/\(id)", as: Self.finance).json == booked.json)
            #expect(try await service.get("/v1/adjustments/999999", as: Self.finance).status == 404)
            let list = try await service.get("/v1/adjustments", as: Self.finance).json["adjustments"].elements
            #expect(list.count == 1 && list.first?["target"] == 0)
            #expect(try await service.get("/v1/adjustments", as: Token.service()).status == 403)
            try await house.expectSound()
        }
    }

    @Test func `an operator sets policies, and books what they ask for`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func run(_ words: String) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let child = try house.start(words.split(separator: " ").map(String.init), settings)
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            let none = try await run("adjustments book --month 2020-01 --by kim")
            #expect(none.exit == .code(0) && none.output == "no policy asks for an adjustment of 2020-01\n", "\(none)")
            let set = try await run("policies set bonus --from 2020-01 --method relative_price --by kim")
            #expect(set.exit == .code(0) && set.output.hasSuffix("bonus relative_price from 2020-01\n"), "\(set)")
            #expect(try await run("policies").output.contains("relative_price"))
            let booked = try await run("adjustments book --month 2020-01 --by kim")
            #expect(booked.output == "bonus: 0 KRW booked for 2020-01, balance 0\n", "\(booked)")
            let again = try await run("adjustments book --month 2020-01 --by kim")
            #expect(again.output == "bonus: nothing is left to book for 2020-01\n", "\(again)")
            #expect(try await run("adjustments").output.contains("kim"))
            let preview = try await run("adjustments preview bonus --month 2098-01")
            #expect(preview.output.contains("policy: relative_price") && preview.output.contains("1000"), "\(preview)")
            let early = try await run("adjustments book --month 2098-01 --by kim")
            #expect(early.exit != .code(0) && early.errors.contains("not over"), "\(early)")
            for report in ["breakage", "adjustments"] {
                let exported = try await run("export \(report)")
                #expect(exported.exit == .code(0) && exported.output.contains("sold_in"), "\(exported)")
            }
            try await house.expectSound()
        }
    }
}
