import Foundation
import OutboundHTTP
import StandardWebhooks
import TestSupport
import Testing

/// The programs of docs/clients.md send what the service takes, and its webhook is genuine.
///
/// `Tests/Conformance/clients` runs the programs, also in TypeScript and Java, with responses that are lost.
@Suite(.timeLimit(.minutes(20))) struct ClientsPageTests {
    private static let languages = ["python", "typescript", "java", "kotlin"]

    @Test func `the programs of all languages send the same requests`() throws {
        let page = try ClientsPage()
        let calls = try page.calls(in: "python")
        let paths = ["/v1/orders", "/v1/receipts", "/v1/me/balance", "/v1/users/demo-user/spends"]
        #expect(calls.map(\.path) == paths && calls.map(\.hasKey) == [true, false, false, true], "\(calls)")
        for language in Self.languages {
            #expect(try page.calls(in: language) == calls, "\(language)")
            #expect(page.programs(in: language).count == 2, "\(language)")
        }
    }

    @Test func `the requests of each language buy and spend`() async throws {
        let page = try ClientsPage()
        try await House.open { house, gateway, service in
            for language in Self.languages {
                await house.check(language) {
                    let before = try await service.coins(of: "demo-user") ?? 0
                    try await send(try page.calls(in: language), to: service, gateway)
                    #expect(try await service.coins(of: "demo-user") == before + 70)
                }
            }
            try await house.expectSound()
        }
    }

    @Test func `the program in Python prints the balances`() async throws {
        let program = try #require(try ClientsPage().programs(in: "python").first)
        try await House.open { house, gateway, service in
            let file = house.directory.appending(path: "coins.py")
            try Data(program.utf8).write(to: file)
            let environment = [
                "LEDGERD_URL": "http://127.0.0.1:\(service.port)", "SANDBOX_URL": gateway.url,
                "USER_TOKEN": Token.user("demo-user"), "SERVICE_TOKEN": Token.service(), "LANG": "C.UTF-8",
            ]
            let child = try house.start([file.path], environment, program: "/usr/bin/python3")
            #expect(try await child.exit() == .code(0), "\(child.standardError)")
            #expect(child.standardOutput == "bought 100\nspent 70\n")
            try await house.expectSound()
        }
    }

    @Test func `the page's webhook is genuine at its moment`() throws {
        let webhook = try ClientsPage().webhook()
        let verifier = try WebhookVerifier(secrets: [webhook.secret])
        for seconds in [-300.0, 0, 300] { try webhook.verify(with: verifier, after: seconds) }
        #expect(throws: WebhookVerificationError.untimely) { try webhook.verify(with: verifier, after: 301) }
    }

    /// Sends a program's requests, with a payment between order and receipt, and each a second time as after a lost response.
    private func send(_ calls: [ClientsPage.Call], to service: Service, _ gateway: Gateway) async throws {
        let key = Fresh.word
        var payment = Payment.unmade()
        for (call, statuses) in zip(calls, [[201, 201], [201, 200], [200, 200], [201, 201]]) {
            for status in statuses {
                let answer = try await service.send(call, payment, key: key + call.path)
                #expect(answer.status == status, "\(call.summary): \(answer)")
                if call.path == "/v1/orders", status == statuses[0], let uid = answer.json["merchant_uid"].text {
                    payment = Payment(impUID: payment.impUID, merchantUID: uid)
                }
            }
            if call.path == "/v1/orders" { try await gateway.pay(as: payment) }
        }
    }
}

extension Service {
    /// Sends a call of the page; a payment's ids take the place of the program's variables.
    fileprivate func send(_ call: ClientsPage.Call, _ payment: Payment, key: String) async throws -> Answer {
        let paid = ["imp_uid": "\"\(payment.impUID)\"", "merchant_uid": "\"\(payment.merchantUID)\""]
        let members = call.body.map { name, value in "\"\(name)\": \(paid[name] ?? value)" }
        let json = members.isEmpty ? [] : [("Content-Type", "application/json")]
        return try await send(
            sure(HTTPRequest.Method(rawValue: call.method)), call.path,
            as: call.isOfUser ? Token.user("demo-user") : Token.service(),
            headers: json + (call.hasKey ? [("Idempotency-Key", key)] : []),
            body: members.isEmpty ? "" : "{\(members.joined(separator: ", "))}")
    }
}
