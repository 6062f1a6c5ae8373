import Foundation
package import OutboundHTTP
import TestSupport
import Testing

/// The stand-in App Store, as buyers, Apple and App Store Connect drive it.
package struct AppStoreSandbox: StandInStore {
    /// A purchase, as the device has it.
    package struct Bought: Sendable {
        package let id: String
        /// StoreKit's `jwsRepresentation`.
        package let signed: String

        /// The receipt that the app presents.
        package var receipt: String { #"{"app_store": {"signed_transaction": "\#(signed)"}}"# }
    }

    package let port: Int
    package let transport: CurlTransport
    /// What a service needs to use it.
    package let settings: [String: String]

    /// Buys one piece of `com.example.coins.100` for ₩1,200; Apple tells nobody.
    ///
    /// - Parameter members: further members of the control request, each with its comma before it.
    package func buy(_ members: String = "") async throws -> Bought {
        try await buy(product: "com.example.coins.100", notify: false, members)
    }

    /// - Parameter notify: whether Apple tells the shop.
    package func buy(product: String, notify: Bool, _ members: String = "") async throws -> Bought {
        let answer = try await send(
            .post, "/sandbox/apple/purchases", #"{"product_id": "\#(product)", "notify": \#(notify)\#(members)}"#)
        #expect(answer.status == 201, "\(answer)")
        return Bought(
            id: try #require(answer.json["transaction_id"].text),
            signed: try #require(answer.json["signed_transaction"].text))
    }

    /// Changes a purchase, as Apple or the buyer does.
    ///
    /// - Parameter act: the members of the control request.
    package func change(_ bought: Bought, _ act: String) async throws {
        let answer = try await send(.patch, "/sandbox/apple/purchases/\(bought.id)", "{\(act)}")
        #expect(answer.status == 200, "\(answer)")
    }
}

extension House {
    /// Starts the stand-in App Store, without purchases; it tells nobody of any.
    package func startAppStore() async throws -> AppStoreSandbox {
        let port = try await startStores()
        let url = "http://127.0.0.1:\(port)"
        let app = Answer(
            try await transport.send(
                HTTPRequest(.get, HTTPURL(url + "/sandbox/apple"), totalTimeout: Patience.hang))
        ).json
        let roots = directory.appending(path: "app-store-root.pem")
        let root = try #require(app["root_certificate"].text.flatMap { Data(base64Encoded: $0) })
            .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        try "-----BEGIN CERTIFICATE-----\n\(root)\n-----END CERTIFICATE-----\n"
            .write(to: roots, atomically: true, encoding: .utf8)
        return AppStoreSandbox(
            port: port, transport: transport,
            settings: [
                "LEDGERD_APP_STORE_URL": url + "/apple/production",
                "LEDGERD_APP_STORE_SANDBOX_URL": url + "/apple/sandbox",
                "LEDGERD_APP_STORE_BUNDLE_ID": try #require(app["bundle_id"].text),
                "LEDGERD_APP_STORE_APP_ID": String(try #require(app["app_apple_id"].integer)),
                "LEDGERD_APP_STORE_ISSUER_ID": try #require(app["issuer_id"].text),
                "LEDGERD_APP_STORE_KEY_ID": try #require(app["key_id"].text),
                "LEDGERD_APP_STORE_PRIVATE_KEY": try #require(app["private_key"].text),
                "LEDGERD_APP_STORE_ROOT_CERTIFICATES": roots.path,
                "LEDGERD_APP_STORE_REVOCATION": "off",
            ])
    }

    /// Lends a house with the stand-in App Store, and one service running that sells `coins_100` there.
    package static func openStore(
        _ settings: [String: String] = [:], _ body: (House, AppStoreSandbox, Service) async throws -> Void
    ) async throws {
        try await with { house in
            let store = try await house.startAppStore()
            let service = try await house.serve(store.settings.merging(settings) { $1 })
            try await service.sellCoins(at: "app-store")
            try await body(house, store, service)
        }
    }
}
