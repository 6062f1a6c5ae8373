import Crypto
import CryptoExtras
import Foundation
import OutboundHTTP
import TestSupport

@testable import PGVerifier

/// A Google of our own: its keys, and what it answers and signs.
enum PlayHouse {
    static let packageName = "com.example.shop"
    static let token = "abcdefghijklmnopabcdefgh.AO-J1OzX_1-x"
    /// What stands for the shop's order of it.
    static let orderName = "google-play:31329ed1466c79c8f0dac2a812d0fe2c0074e84cb5017cf9ceacfc002c5def92"
    static let orderID = "GPA.3345-1234-5678-90123"
    static let accountID = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    static let subscription = "projects/shop/subscriptions/play"
    static let audience = "https://shop.example.com/webhooks/google-play"
    static let sender = "pusher@shop.iam.gserviceaccount.com"
    static let keyID = "key-1"

    /// Signs what Google signs, and our requests.
    static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    /// Nobody knows it.
    static let strangersKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// The file of the service account.
    static func account(_ changes: [String: String?] = [:]) throws -> Secret {
        let pem = try key.get().pemRepresentation.replacing("\n", with: "\\n")
        return Secret(
            AppStoreHouse.payload(
                changes,
                of: [
                    "type": #""service_account""#, "project_id": #""shop""#, "private_key_id": #""account-key""#,
                    "private_key": "\"\(pem)\"", "client_email": #""ledgerd@shop.iam.gserviceaccount.com""#,
                    "token_uri": #""https://oauth2.googleapis.com/token""#,
                ]))
    }

    /// Read once: the key's checks cost something.
    private static let readAccount = Result { try GooglePlayAccount(json: try account()) }

    static func configuration(limits: GatewayLimits = GatewayLimits()) throws -> GooglePlayConfiguration {
        GooglePlayConfiguration(
            packageName: packageName, account: try readAccount.get(),
            url: try HTTPURL(GooglePlayConfiguration.apiURL),
            push: GooglePlayPush(
                audience: audience, sender: sender, subscription: subscription,
                keysURL: try HTTPURL(GooglePlayPush.keysURL)), limits: limits)
    }

    // MARK: - Answers

    static func accessToken(_ text: String = "ya29.one", seconds: Int = 3599) -> ScriptedGateway.Step {
        .answer(200, #"{"access_token":"\#(text)","expires_in":\#(seconds),"token_type":"Bearer"}"#)
    }

    /// An error in Google's envelope.
    static func refusal(_ status: Int, _ reason: String, headers: String = "") -> ScriptedGateway.Step {
        .answer(
            status,
            #"{"error":{"code":\#(status),"message":"as scripted","errors":[{"reason":"\#(reason)"}]}}"#,
            headers: headers)
    }

    /// Three packs of a hundred coins, bought at noon.
    static func purchase(
        _ changes: [String: String?] = [:], details: [String: String?] = [:]
    ) -> ScriptedGateway.Step {
        .answer(200, purchaseText(changes, details: details))
    }

    static func purchaseText(_ changes: [String: String?] = [:], details: [String: String?] = [:]) -> String {
        AppStoreHouse.payload(
            changes,
            of: [
                "kind": #""androidpublisher#productPurchaseV2""#,
                "productLineItem": "[\(item("coins_100", details))]", "orderId": "\"\(orderID)\"",
                "purchaseStateContext": #"{"purchaseState":"PURCHASED"}"#,
                "purchaseCompletionTime": #""2026-11-15T03:34:00.500000009Z""#, "regionCode": #""KR""#,
                "obfuscatedExternalAccountId": "\"\(accountID)\"",
                "acknowledgementState": #""ACKNOWLEDGEMENT_STATE_PENDING""#,
            ])
    }

    static func item(_ product: String, _ changes: [String: String?] = [:]) -> String {
        let details = AppStoreHouse.payload(
            changes,
            of: [
                "quantity": "3", "refundableQuantity": "3", "purchaseOptionId": #""base""#,
                "consumptionState": #""CONSUMPTION_STATE_YET_TO_BE_CONSUMED""#,
            ])
        return #"{"productId":"\#(product)","productOfferDetails":\#(details)}"#
    }

    /// The order of it, for 3,600 won.
    static func order(_ changes: [String: String?] = [:], history: String = "") -> ScriptedGateway.Step {
        .answer(200, orderText(changes, history: history))
    }

    /// - Parameter history: further members of the order's history, in JSON, with a comma at the beginning.
    static func orderText(_ changes: [String: String?] = [:], history: String = "") -> String {
        AppStoreHouse.payload(
            changes,
            of: [
                "orderId": "\"\(orderID)\"", "purchaseToken": "\"\(token)\"", "state": #""PROCESSED""#,
                "createTime": #""2026-11-15T03:33:00Z""#, "total": won(3600), "tax": won(327),
                "developerRevenueInBuyerCurrency": won(2782), "buyerAddress": #"{"buyerCountry":"KR"}"#,
                "lineItems":
                    #"[{"productId":"coins_100","total":\#(won(3600)),"oneTimePurchaseDetails":{"quantity":3}}]"#,
                "orderHistory": #"{"processedEvent":{"eventTime":"2026-11-15T03:34:00Z"}\#(history)}"#,
            ])
    }

    static func won(_ amount: Int) -> String { #"{"currencyCode":"KRW","units":"\#(amount)"}"# }

    // MARK: - Notifications

    /// A token of Pub/Sub's, as it is sent.
    ///
    /// - Parameters:
    ///   - changes: other claims.
    ///   - header: another header, in JSON.
    static func bearer(
        _ changes: [String: String?] = [:], header: String? = nil, key: _RSA.Signing.PrivateKey? = nil
    ) throws -> String {
        let claims = AppStoreHouse.payload(
            changes,
            of: [
                "iss": #""https://accounts.google.com""#, "aud": "\"\(audience)\"", "email": "\"\(sender)\"",
                "email_verified": "true", "sub": #""113774264463038321964""#, "azp": #""113774264463038321964""#,
                "iat": "1794713600", "exp": "1794717200",
            ])
        let header = header ?? #"{"alg":"RS256","kid":"\#(keyID)","typ":"JWT"}"#
        let signed = Data(header.utf8).base64URL + "." + Data(claims.utf8).base64URL
        let signature = try (key ?? self.key.get()).signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return "Bearer " + signed + "." + signature.rawRepresentation.base64URL
    }

    /// Google's keys.
    static func keys(_ ids: [String] = [keyID], headers: String = "") throws -> ScriptedGateway.Step {
        let numbers = try key.get().publicKey.getKeyPrimitives()
        let keys = ids.map {
            #"{"kid":"\#($0)","kty":"RSA","alg":"RS256","use":"sig","n":"\#(numbers.modulus.base64URL)","#
                + #""e":"\#(numbers.publicExponent.base64URL)"}"#
        }
        return .answer(200, #"{"keys":[\#(keys.joined(separator: ","))]}"#, headers: headers)
    }

    /// The body of a push.
    static func push(
        _ about: String, _ changes: [String: String?] = [:], message: [String: String?] = [:],
        data: [String: String?] = [:]
    ) -> [UInt8] {
        let data = AppStoreHouse.payload(
            data,
            of: [
                "version": #""1.0""#, "packageName": "\"\(packageName)\"", "eventTimeMillis": #""1794713640000""#,
            ])
        let text = about.isEmpty ? data : data.dropLast() + "," + about + "}"
        let message = AppStoreHouse.payload(
            message,
            of: [
                "attributes": "{}", "data": "\"\(Data(text.utf8).base64EncodedString())\"",
                "messageId": #""136969346945""#, "message_id": #""136969346945""#,
                "publishTime": #""2026-11-15T03:34:01.5Z""#,
            ])
        return Array(
            AppStoreHouse.payload(changes, of: ["message": message, "subscription": "\"\(subscription)\""]).utf8)
    }

    static let voided = """
        "voidedPurchaseNotification":{"purchaseToken":"\(token)","orderId":"\(orderID)","productType":2,"refundType":1}
        """
}
