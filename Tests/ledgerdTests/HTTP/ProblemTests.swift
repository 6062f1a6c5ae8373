import Foundation
import HTTPTestSupport
import Hummingbird
import Ledger
import LedgerWire
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ProblemTests {
    @Test(arguments: Problem.Code.known)
    func `a problem is answered with its code's status, title and retryable`(code: Problem.Code) async throws {
        let house = TestHouse { router in
            router.get("fail") { _, _ -> Response in
                throw Problem(
                    code, "why \"so\"",
                    members: [
                        "expected": 1000, "tags": ["a"], "prices": [1, 2], "none": [], "test": true,
                    ])
            }
        }
        try await house.test { client in
            try await client.execute(uri: "/fail", method: .get, headers: [.requestID: "r-1"]) { response in
                #expect(response.status == code.httpStatus)
                #expect(response.headers[.contentType] == "application/problem+json")
                #expect(response.headers[.requestID] == "r-1")
                let json = response.json
                #expect(json["type"] as? String == "urn:ledgerd:problem:\(code.rawValue)")
                #expect(json["title"] as? String == code.title)
                #expect(json["status"] as? Int == code.status)
                #expect(json["detail"] as? String == "why \"so\"")
                #expect(json["code"] as? String == code.rawValue)
                #expect(json["request_id"] as? String == "r-1")
                #expect(json["retryable"] as? Bool == code.isRetryable)
                #expect(json["expected"] as? Int == 1000)
                #expect(json["tags"] as? [String] == ["a"])
                #expect(json["prices"] as? [Int] == [1, 2])
                #expect((json["none"] as? [Any])?.isEmpty == true)
                #expect(json["test"] as? Bool == true)
                #expect(response.headers[.retryAfter] == code.retryAfterSeconds.map(String.init))
            }
        }
    }

    @Test func `a problem says 503 with Retry-After when the same request may succeed soon`() {
        for code in [Problem.Code.databaseUnavailable, .overloaded, .shuttingDown, .gatewayUnavailable] {
            #expect(code.status == 503 && code.retryAfterSeconds != nil)
        }
        #expect(Problem.Code.paymentNotFound.status == 404)
        #expect(Problem.Code.amountMismatch.status == 422)
        #expect(Problem.Code.receiptBelongsToAnotherUser.status == 409)
        #expect(Problem.Code.tooManyWaitingReceipts.status == 429)
    }

    private struct Unforeseen: Error {
        let sql = "SELECT secret FROM wallet"
    }

    @Test func `an unforeseen error leaks nothing, and is logged with the request's id`() async throws {
        let house = TestHouse { router in
            router.get("fail") { _, _ -> Response in throw Unforeseen() }
        }
        try await house.test { client in
            try await client.execute(uri: "/fail", method: .get) { response in
                #expect(response.status == .internalServerError)
                #expect(response.json["code"] as? String == "internal")
                #expect(!response.text.contains("SELECT") && !response.text.contains("Unforeseen"))
                let id = try #require(response.json["request_id"] as? String)
                #expect(id.count == 32)
                #expect(response.headers[.requestID] == id)
                let event = try #require(house.log.events.first { $0["level"] as? String == "error" })
                #expect(event["request_id"] as? String == id)
                #expect((event["error"] as? String)?.contains("SELECT secret") == true)
                #expect(event["route"] as? String == "/fail")
            }
        }
    }

    @Test func `a domain error says which problem it is`() {
        struct Refusal: ProblemConvertible {
            var problem: Problem { Problem(.testPayment) }
        }
        #expect(Problem(any: Refusal()).code == .testPayment)
        #expect(Problem(any: CancellationError()).code == .shuttingDown)
        let stray = DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: "in a row"))
        #expect(Problem(any: stray as any Error).code == .internal)
        #expect(Problem(any: HTTPError(.badRequest, message: "m")).detail == "m")
        #expect(Problem(any: HTTPError(.internalServerError, message: "m")).detail == nil)
        #expect(Problem(any: HTTPError(.internalServerError)).code == .internal)
    }

    @Test(arguments: [TestingSetup.router, .live])
    func `unknown paths and methods are answered, in memory and over a socket`(setup: TestingSetup) async throws {
        let house = TestHouse { router in
            router.get("things/{id}") { _, context in try context.parameters.require("id") }
            router.delete("things/{id}") { _, _ in HTTPResponse.Status.noContent }
        }
        try await house.test(setup) { client in
            try await client.execute(uri: "/nowhere", method: .get) {
                #expect($0.status == .notFound)
                #expect($0.json["code"] as? String == "not_found")
                #expect($0.headers[.requestID] != nil)
            }
            try await client.execute(uri: "/things/1", method: .post) {
                #expect($0.status == .methodNotAllowed)
                #expect($0.json["code"] as? String == "method_not_allowed")
                #expect($0.headers[.allow] == "DELETE, GET, HEAD")
                #expect($0.json["allow"] as? [String] == ["DELETE", "GET", "HEAD"])
            }
            try await client.execute(uri: "/things/1", method: .head) { #expect($0.status == .ok) }
            try await client.execute(uri: "/things/1", method: .get) { #expect($0.text == "1") }
        }
    }

    @Test(arguments: [
        (BookAdjustment.name, "adjustment", "an adjustment"), (TakeBackAndRefund.name, "take_back", "a take back"),
        (DecideDispute.name, "dispute_decision", "a dispute decision"),
        (PayPayout.name, "payout_payment", "a payout payment"),
    ])
    func `a key that was used says for which act`(act: String, name: String, words: String) {
        let problem = Problem.keyReused(KeyUse(act: act, at: Date(timeIntervalSince1970: 0)))
        #expect(problem.members.first { $0.name == "used_for" }?.value == .string(name))
        #expect(problem.detail?.hasPrefix("the key was first used for \(words) at 1970-01-01") == true)
    }

    @Test func `each act has a name of its own for its keys, in small letters`() throws {
        // `fingerprints.txt` has each act's stored name: `spend 83cc…`.
        let golden = Golden.root.appending(path: "Tests/Golden/fingerprints.txt")
        let lines = try String(contentsOf: golden, encoding: .utf8).split(separator: "\n")
        let acts = Set(lines.map { String($0.prefix { $0 != " " }) })
        let names = acts.map { act -> String in
            let problem = Problem.keyReused(KeyUse(act: act, at: Date(timeIntervalSince1970: 0)))
            let name = problem.members.first { $0.name == "used_for" }?.value
            return if case .string(let name)? = name { name } else { "" }
        }
        #expect(names.count > 10 && Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(?:_[a-z]+)*/) != nil }, "\(names)")
    }

    @Test(arguments: ["x", "0", "-1", "1.0", "9223372036854775808"])
    func `a path that can hold no row's id is not_found`(text: String) async throws {
        let house = TestHouse { router in
            router.get("refunds/{id}") { _, context in String(try context.pathID()) }
        }
        try await house.test { client in
            try await client.execute(uri: "/refunds/\(text)", method: .get) {
                #expect($0.json["code"] as? String == "not_found")
            }
            try await client.execute(uri: "/refunds/42", method: .get) { #expect($0.text == "42") }
        }
    }

    @Test func `a problem can be written in another dialect, on some paths`() async throws {
        let router = Router(context: LedgerdRequestContext.self)
        router.addHouseMiddleware(metrics: PrometheusMetrics()) { problem, request, context in
            guard request.uri.path.hasPrefix("/v1/store/") else {
                return try problem.response(from: request, context: context)
            }
            return try Response(status: .badRequest, json: ["errorCode": "E97"])
        }
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/v1/store/x", method: .get) {
                #expect($0.status == .badRequest)
                #expect($0.text == #"{"errorCode":"E97"}"#)
            }
            try await client.execute(uri: "/v1/x", method: .get) { #expect($0.json["code"] as? String == "not_found") }
        }
    }
}
