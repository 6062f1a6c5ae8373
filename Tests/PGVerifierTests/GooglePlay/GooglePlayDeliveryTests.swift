import Foundation
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayDeliveryTests {
    private static let read = "GET /purchases/productsv2/tokens/\(PlayHouse.token)"
    private static let consume = "POST /purchases/products/coins_100/tokens/\(PlayHouse.token):consume"
    private static let acknowledge = "POST /purchases/products/coins_100/tokens/\(PlayHouse.token):acknowledge"
    private static let done = ScriptedGateway.Step.answer(204, "")

    private static let consumed = PlayHouse.purchase(details: ["consumptionState": #""CONSUMPTION_STATE_CONSUMED""#])
    private static let acknowledged = PlayHouse.purchase([
        "acknowledgementState": #""ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED""#
    ])

    @Test func `a purchase is read, and then consumed`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), Self.done)
        #expect(try await test.play.consume(try PlayUnderTest.token) == .done)
        #expect(test.lines == [Self.read, Self.consume])
        #expect(test.api.requests[1].body.isEmpty && test.api.requests[1].needsFreshConnection)
    }

    @Test func `a purchase that is consumed is not consumed again`() async throws {
        let test = try PlayUnderTest(Self.consumed)
        #expect(try await test.play.consume(try PlayUnderTest.token) == .done)
        #expect(test.lines == [Self.read])
    }

    @Test(arguments: [
        ScriptedGateway.Step.fail(.timeout), .answer(503, ""), PlayHouse.refusal(409, "concurrentUpdate"),
    ])
    func `after an answer that was lost the purchase is read first`(lost: ScriptedGateway.Step) async throws {
        let arrived = try PlayUnderTest(PlayHouse.purchase(), lost, Self.consumed)
        #expect(try await arrived.play.consume(try PlayUnderTest.token) == .done)
        #expect(arrived.lines == [Self.read, Self.consume, Self.read])
        let missed = try PlayUnderTest(PlayHouse.purchase(), lost, PlayHouse.purchase(), Self.done)
        #expect(try await missed.play.consume(try PlayUnderTest.token) == .done)
        #expect(missed.lines == [Self.read, Self.consume, Self.read, Self.consume])
    }

    @Test(arguments: ["PENDING", "CANCELLED", "SOME_NEW_STATE"])
    func `what is not purchased is neither consumed nor acknowledged`(state: String) async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(["purchaseStateContext": #"{"purchaseState":"\#(state)"}"#]))
        let token = try PlayUnderTest.token
        #expect(try await test.play.consume(token) == .notPurchased(.init(rawValue: state)))
        #expect(try await test.play.acknowledge(token) == .notPurchased(.init(rawValue: state)))
        #expect(test.lines == [Self.read, Self.read])
    }

    @Test func `a refusal is told, and decides nothing about the purchase`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.refusal(400, "productNotOwnedByUser"))
        let error = await failure { try await test.play.consume(try PlayUnderTest.token) }
        #expect(error?.code == .refused && error?.gatewayType == "productNotOwnedByUser")
        #expect(error?.isDefinite == false)
        #expect(test.lines.count == 2)
    }

    @Test func `that the token of a credited purchase is not found is no word about it, and that it is over is one`()
        async throws
    {
        func error(_ step: ScriptedGateway.Step) async throws -> GatewayError? {
            let test = try PlayUnderTest(step)
            return await failure { try await test.play.finish(try PlayUnderTest.receipt) }
        }
        let unknown = try await error(PlayHouse.refusal(404, "purchaseTokenNotFound"))
        #expect(unknown?.code == .notFoundYet && unknown?.isDefinite == false)
        #expect(unknown?.gatewayType == "purchaseTokenNotFound")
        #expect(try await error(PlayHouse.refusal(410, "purchaseTokenNoLongerValid"))?.isDefinite == true)
        for (state, isOver) in [("CANCELLED", true), ("PENDING", false)] {
            let step = PlayHouse.purchase(["purchaseStateContext": #"{"purchaseState":"\#(state)"}"#])
            #expect(try await error(step)?.isDefinite == isOver, "\(state)")
        }
    }

    @Test func `each product of a purchase is consumed, and the purchase is read between them`() async throws {
        let (coins, gems) = (PlayHouse.item("coins_100"), PlayHouse.item("gems"))
        let consumed = ["consumptionState": Optional(#""CONSUMPTION_STATE_CONSUMED""#)]
        func purchase(_ items: String...) -> ScriptedGateway.Step {
            PlayHouse.purchase(["productLineItem": "[\(items.joined(separator: ","))]"])
        }
        let test = try PlayUnderTest(
            purchase(coins, gems), Self.done, purchase(PlayHouse.item("coins_100", consumed), gems), Self.done,
            purchase(PlayHouse.item("coins_100", consumed), PlayHouse.item("gems", consumed)))
        #expect(try await test.play.consume(try PlayUnderTest.token) == .done)
        let other = Self.consume.replacing("coins_100", with: "gems")
        #expect(test.lines == [Self.read, Self.consume, Self.read, other, Self.read])
        // Google may use up all of a purchase at once.
        let atOnce = try PlayUnderTest(
            purchase(coins, gems), Self.done,
            purchase(PlayHouse.item("coins_100", consumed), PlayHouse.item("gems", consumed)))
        #expect(try await atOnce.play.consume(try PlayUnderTest.token) == .done)
        #expect(atOnce.lines == [Self.read, Self.consume, Self.read])
    }

    @Test func `a purchase is acknowledged once`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), .fail(.connectionLost), PlayHouse.purchase(), Self.done)
        #expect(try await test.play.acknowledge(try PlayUnderTest.token) == .done)
        #expect(test.lines == [Self.read, Self.acknowledge, Self.read, Self.acknowledge])
        #expect(test.api.requests[1].text == "{}")
        let known = try PlayUnderTest(Self.acknowledged)
        #expect(try await known.play.acknowledge(try PlayUnderTest.token) == .done)
        #expect(known.lines == [Self.read])
    }
}
