import EndToEndSupport
import OutboundHTTP
import TestSupport
import Testing

/// The service is killed while spends are taken back with the refund of their purchase.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TakeBackCrashTests {
    /// How far it is when the service is killed.
    enum Moment: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case nothingIsWritten, committedWithoutAReply

        var testDescription: String { rawValue }
    }

    @Test func `the coins come back with the refund or not at all, and the repeat ends it once`() async throws {
        for moment in Moment.allCases {
            try await House.with { house in
                let proxy = try FaultProxy(house.ledger.database.server)
                defer { proxy.stop() }
                let gateway = try await house.startGateway()
                let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL(through: proxy)]
                let victim = try await house.serveProcess(at: gateway, settings)
                let payment = try await gateway.pay()
                let purchase = try await victim.buy(payment)
                let spent = try await victim.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "spend")
                let entry = try #require(spent.json["spend"]["journal_entry_id"].integer, "\(spent)")
                let path = "/v1/purchases/\(purchase)/take-back"
                let body = #"{"spends": [\#(entry)], "reason": "her son spent them"}"#

                proxy.arm(
                    .stall,
                    when: moment == .nothingIsWritten
                        ? .clientSends("take-back-1") : .serverReplies("COMMIT", to: "take-back-1"))
                let lost = Task { try? await victim.post(path, body, key: "take-back-1") }
                try await eventually("the proxy holds it back") { proxy.firedFaults == 1 }
                try await house.kill(victim.process)
                proxy.cutAll()
                proxy.resume()
                _ = await lost.value
                let books = house.books
                let isBooked = moment == .committedWithoutAReply
                #expect(try await books.count("SELECT count(*) FROM coin_return") == (isBooked ? 1 : 0), "\(moment)")
                #expect(try await books.refunds == (isBooked ? ["pending"] : []), "\(moment)")

                let successor = try await house.serveProcess(at: gateway, settings)
                if isBooked { try await house.waitUntilDecided() }
                let answer = try await successor.post(path, body, key: "take-back-1")
                #expect(answer.status == 201 && answer.json["refund"]["amount"] == 1000, "\(moment): \(answer)")
                #expect(try await books.refunds == ["completed"], "\(moment)")
                #expect(try await successor.coins() == 0, "\(moment)")
                #expect(try await gateway.cancellations(payment).map { $0["amount"] } == [1000], "\(moment)")
                try await house.expectAgreement(with: gateway, on: payment)
            }
        }
    }
}
