import Foundation
package import OutboundHTTP
import TestSupport
import Testing

/// The stand-in Google Play, as buyers, Google and the Play Console drive it.
package struct GooglePlaySandbox: StandInStore {
    /// A purchase, as the device has it.
    package struct Bought: Sendable {
        /// The Billing Library's `purchaseToken`.
        package let token: String
        /// What the buyer's mail says.
        package let order: String?

        /// The receipt that the app presents.
        package var receipt: String { #"{"google_play": {"purchase_token": "\#(token)"}}"# }
    }

    package let port: Int
    package let transport: CurlTransport
    /// What a service needs to use it.
    package let settings: [String: String]

    /// Buys one piece of `com.example.coins.100` for ₩1,200; Google tells nobody.
    ///
    /// - Parameter members: further members of the control request, each with its comma before it.
    package func buy(_ members: String = "") async throws -> Bought {
        try await buy(product: "com.example.coins.100", notify: false, members)
    }

    /// - Parameter notify: whether Google tells the shop.
    package func buy(product: String, notify: Bool, _ members: String = "") async throws -> Bought {
        try await buy(all: #""product_id": "\#(product)", "notify": \#(notify)\#(members)"#)
    }

    /// - Parameter all: the members of the control request.
    package func buy(all: String) async throws -> Bought {
        let answer = try await send(.post, "/sandbox/google/purchases", "{\(all)}")
        #expect(answer.status == 201, "\(answer)")
        return Bought(
            token: try #require(answer.json["purchase_token"].text), order: answer.json["order_id"].text)
    }

    /// Changes a purchase, as Google or the buyer does.
    ///
    /// - Parameter act: the members of the control request.
    package func change(_ bought: Bought, _ act: String) async throws {
        let answer = try await send(.patch, "/sandbox/google/purchases/\(bought.token)", "{\(act)}")
        #expect(answer.status == 200, "\(answer)")
    }

    /// Whether the product can be bought again.
    package func isConsumed(_ bought: Bought) async throws -> Bool {
        let shown = try await send(.get, "/sandbox/google/purchases/\(bought.token)").json["purchase"]
        let items = shown["productLineItem"].elements.map { $0["productOfferDetails"]["consumptionState"].text }
        return !items.isEmpty && items.allSatisfy { $0 == "CONSUMPTION_STATE_CONSUMED" }
    }

    /// Lets every request to consume fail, or none.
    ///
    /// - Parameter kind: the fault; with `timeout` Google consumes it, and does not answer.
    package func failConsuming(_ fails: Bool, by kind: String = "reset") async throws {
        let path = "/google/androidpublisher/v3/applications/*/purchases/products/*/tokens/*"
        let fault = #"{"path": "\#(path)", "method": "POST", "times": \#(fails ? 1_000_000 : 0), "kind": "\#(kind)"}"#
        #expect(try await send(.put, "/sandbox/faults", fault).status == 200)
    }

    /// Lets Pub/Sub push to a service.
    package func tell(_ service: Service) async throws {
        let url = "http://127.0.0.1:\(service.port)/webhooks/google-play"
        let told = try await send(.put, "/sandbox/google/app", #"{"push_url": "\#(url)"}"#)
        #expect(told.status == 200, "\(told)")
    }
}

extension House {
    private static let audience = "https://coins.example.com/webhooks/google-play"

    /// Starts the stand-in Google Play, without purchases; it tells nobody of any.
    package func startGooglePlay() async throws -> GooglePlaySandbox {
        let port = try await startStores()
        let store = GooglePlaySandbox(port: port, transport: transport, settings: [:])
        let app = try await store.send(.put, "/sandbox/google/app", #"{"push_audience": "\#(Self.audience)"}"#)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(app.text.utf8)) as? [String: Any])
        let account = try JSONSerialization.data(withJSONObject: try #require(members["service_account"]))
        return GooglePlaySandbox(
            port: port, transport: transport,
            settings: [
                "LEDGERD_GOOGLE_PLAY_URL": try #require(app.json["urls"]["api"].text),
                "LEDGERD_GOOGLE_PLAY_PACKAGE": try #require(app.json["package_name"].text),
                "LEDGERD_GOOGLE_PLAY_ACCOUNT": String(decoding: account, as: UTF8.self),
                "LEDGERD_GOOGLE_PLAY_PUSH_SUBSCRIPTION": try #require(app.json["subscription"].text),
                "LEDGERD_GOOGLE_PLAY_PUSH_AUDIENCE": Self.audience,
                "LEDGERD_GOOGLE_PLAY_PUSH_SENDER": try #require(app.json["push_email"].text),
                "LEDGERD_GOOGLE_PLAY_PUSH_KEYS_URL": try #require(app.json["urls"]["jwks"].text),
            ])
    }

    /// Lends a house with the stand-in Google Play, and one service running that sells `coins_100` there.
    package static func openGooglePlay(
        _ settings: [String: String] = [:], _ body: (House, GooglePlaySandbox, Service) async throws -> Void
    ) async throws {
        try await with { house in
            let store = try await house.startGooglePlay()
            let service = try await house.serve(store.settings.merging(settings) { $1 })
            try await service.sellCoins(at: "google-play")
            try await body(house, store, service)
        }
    }
}
