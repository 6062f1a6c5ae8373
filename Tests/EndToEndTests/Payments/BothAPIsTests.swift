import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// A payment that V1 and V2 show is one payment at every door, whichever name comes first.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BothAPIsTests {
    /// How a user presents a payment.
    private enum Door: CaseIterable {
        case v1, v2, store

        func present(_ payment: Payment, to service: Service, by user: String = "ann") async throws -> Answer {
            switch self {
            case .v1: try await service.present(payment, at: .v1, by: user)
            case .v2: try await service.present(payment, at: .v2, by: user)
            case .store: try await service.validate(payment, by: user)
            }
        }

        /// The id of the purchase in an answer.
        func purchase(in answer: Answer) -> Int64? {
            self == .store ? answer.json["billing_id"].integer : answer.purchase["id"].integer
        }

        /// Whether an answer tells that the payment is another user's.
        func isAnothers(_ answer: Answer) -> Bool {
            self == .store ? answer.json["errorCode"] == "E82" : answer.code == "receipt_belongs_to_another_user"
        }
    }

    @Test func `a receipt has its purchase under both names, at every door and in every order`() async throws {
        try await Self.open { house, gateway, service, other in
            var coins: Int64 = 0
            for isOrdered in [false, true] {
                for first in Door.allCases {
                    for second in Door.allCases {
                        let name = isOrdered ? try await service.order("coins_100").json["merchant_uid"].text : nil
                        let payment = try await gateway.payInBoth(name)
                        let credited = try await first.present(payment, to: service)
                        let purchase = first.purchase(in: credited)
                        coins += 100
                        #expect(credited.status == (first == .store ? 200 : 201) && purchase != nil, "\(credited)")
                        for door in [second, first, second] {
                            let again = try await door.present(payment, to: other)
                            #expect(again.status == 200 && door.purchase(in: again) == purchase, "\(again)")
                        }
                        let bobs = try await second.present(payment, to: other, by: "bob")
                        #expect(second.isAnothers(bobs), "\(bobs)")
                    }
                }
            }
            #expect(try await service.coins() == coins)
            #expect(try await house.books.purchases == coins / 100)
            #expect(try await house.books.count("SELECT count(*) FROM finding") == 0)
            try await house.expectSound()
        }
    }

    @Test(arguments: Version.allCases)
    func `both webhooks credit an order once and take it back once`(_ first: Version) async throws {
        try await Self.open { house, gateway, service, other in
            let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            let payment = try await gateway.payInBoth(name)
            try await house.tell(payment, "paid", first, to: [service, other])
            try await eventually("it is credited") { try await service.coins() == 100 }
            #expect(try await house.books.texts("SELECT gateway FROM purchase") == [first.gateway])
            for door in [Door.v1, .v2, .store] {
                #expect(try await door.present(payment, to: other).status == 200)
            }
            try await gateway.change(payment, to: "cancelled")
            try await house.tell(payment, "cancelled", first, to: [service, other])
            try await eventually("it is clawed back") { try await service.coins() == 0 }
            #expect(try await house.books.count("SELECT count(*) FROM purchase_reversal") == 1)
            // Credited before, and cancelled since.
            for door in [Door.v1, .v2, .store] {
                #expect(try await door.present(payment, to: service).status == 200)
            }
            #expect(try await house.books.count("SELECT count(*) FROM finding") == 0)
            try await house.expectSound()
        }
    }

    @Test func `a repeat under either name needs no gateway`() async throws {
        try await Self.open { house, gateway, service, other in
            var payments: [(Payment, purchase: JSON)] = []
            for (first, second) in [(Door.v1, Door.v2), (.v2, .v1)] {
                let payment = try await gateway.payInBoth()
                let credited = try await first.present(payment, to: service)
                let again = try await second.present(payment, to: service)
                #expect(credited.status == 201 && again.status == 200, "\(credited)\(again)")
                payments.append((payment, credited.purchase["id"]))
            }
            await gateway.end()
            for (payment, purchase) in payments {
                for door in [Door.v1, .v2] {
                    let again = try await door.present(payment, to: other)
                    #expect(again.status == 200 && again.purchase["id"] == purchase, "\(again)")
                    let bobs = try await door.present(payment, to: other, by: "bob")
                    #expect(door.isAnothers(bobs), "\(bobs)")
                }
            }
            #expect(try await house.books.count("SELECT count(*) FROM receipt_retry") == 0)
            try await house.expectSound()
        }
    }

    /// V2's API decides the receipt, which names no V1 payment; nobody needs to look at the payment meanwhile.
    @Test func `a receipt that waits under one name is decided when the other name's webhook comes`() async throws {
        try await Self.open { house, gateway, service, _ in
            let payment = try await gateway.payInBoth(nil, #", "status": "ready""#)
            let waiting = try await service.present(payment, at: .v2)
            #expect(waiting.status == 202 && waiting.code == "awaiting_payment", "\(waiting)")
            try await gateway.change(payment, to: "paid")
            #expect(try await service.tellV1(Hooks.v1(payment, "paid")).status == 200)
            try await eventually("it is credited") { try await service.coins() == 100 }
            #expect(try await house.books.texts("SELECT gateway FROM purchase") == ["portone-v2"])
            try await eventually("the event is done with") { try await house.books.events("waiting") == 0 }
            #expect(try await house.books.count("SELECT count(*) FROM finding") == 0)
            #expect(try await service.present(payment, at: .v1).status == 200)
            try await house.expectSound()
        }
    }

    /// The app knows the name that came second.
    @Test(arguments: Version.allCases)
    func `a purchase that webhooks credited is found by each name`(_ first: Version) async throws {
        try await Self.open { house, gateway, service, other in
            let name = try #require(try await service.order("coins_100").json["merchant_uid"].text)
            let payment = try await gateway.payInBoth(name)
            try await house.tell(payment, "paid", first, to: [service, other])
            let purchase = try await house.books.count("SELECT id FROM purchase")
            let names = try await house.books.texts(
                "SELECT imp_uid FROM purchase UNION SELECT imp_uid FROM payment_name")
            #expect(names.contains(payment.impUID) && names.count == (first == .v1 ? 3 : 2), "\(names)")
            for name in names {
                let search = try await service.get("/v1/search?name=\(name)", as: Token.support())
                let found = search.json["matches"].elements.filter { $0["kind"] == "purchase" }
                #expect(found.map { $0["id"].integer } == [purchase], "\(search)")
            }
            let list = try await service.get("/v1/purchases?imp_uid=\(payment.impUID)", as: Token.support())
            #expect(list.json["purchases"].elements.map { $0["id"].integer } == [purchase], "\(list)")
            await gateway.end()
            for door in [Door.v1, .v2, .store] {
                let answer = try await door.present(payment, to: other)
                #expect(answer.status == 200 && door.purchase(in: answer) == purchase, "\(answer)")
            }
            #expect(try await house.books.count("SELECT count(*) FROM receipt_retry") == 0)
            try await house.expectSound()
        }
    }

    @Test func `both names at once, at two services, are one purchase`() async throws {
        try await Self.open { house, gateway, service, other in
            let count = Effort.count(4, upTo: 20)
            for _ in 0..<count {
                let payment = try await gateway.payInBoth()
                let answers = try await together(8) { number in
                    let door: Door = number.isMultiple(of: 2) ? .v1 : .v2
                    return try await door.present(payment, to: number < 4 ? service : other)
                }
                #expect(answers.count { $0.status == 201 } == 1, "\(answers)")
                #expect(answers.count { $0.status == 200 } == 7, "\(answers)")
                #expect(Set(answers.map { $0.purchase.description }).count == 1)
            }
            #expect(try await house.books.purchases == Int64(count))
            #expect(try await house.books.count("SELECT count(*) FROM finding") == 0)
            try await house.expectSound()
        }
    }

    @Test func `verify shows the purchase that another name credited`() async throws {
        try await Self.open { house, gateway, service, _ in
            let payment = try await gateway.payInBoth()
            #expect(try await service.present(payment, at: .v2).status == 201)
            let (exit, output, errors) = try await house.run(
                "verify", "--imp-uid", payment.impUID, "--merchant-uid", payment.merchantUID,
                with: house.settings(gateway: gateway.url))
            #expect(exit == .code(0) && output.contains("nothing to do: already credited"), "\(output)\(errors)")
        }
    }

    /// A house with the gateway and two services, at which both APIs and the apps' are on.
    private static func open(_ body: (House, Gateway, Service, Service) async throws -> Void) async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = CoinShopApp.settings.merging(Hooks.v2Settings(at: gateway)) { $1 }
            let service = try await house.serve(at: gateway, settings)
            try await body(house, gateway, service, try await house.serve(at: gateway, settings))
        }
    }
}

extension House {
    /// Sends the webhooks of both APIs, each to its service, the second when the first is done with.
    fileprivate func tell(
        _ payment: Payment, _ status: String, _ first: Version, to services: [Service]
    ) async throws {
        let versions = first == .v1 ? Version.allCases : Version.allCases.reversed()
        for (version, service) in zip(versions, services) {
            let answer =
                version == .v1
                ? try await service.tellV1(Hooks.v1(payment, status))
                : try await service.tellV2(
                    SignedHook("Transaction.\(status.capitalized)", paymentID: payment.merchantUID))
            #expect(answer.status == 200, "\(answer)")
            try await eventually("the event is done with") { try await books.events("waiting") == 0 }
        }
    }
}

extension Gateway {
    /// Makes a payment that both APIs show.
    fileprivate func payInBoth(_ order: String? = nil, _ members: String = "") async throws -> Payment {
        let unmade = Payment.unmade()
        return try await pay(
            "1000", #", "version": "both""# + members,
            as: Payment(impUID: unmade.impUID, merchantUID: order ?? unmade.merchantUID))
    }
}
