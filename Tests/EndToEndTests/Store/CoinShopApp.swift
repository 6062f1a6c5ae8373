import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// One of the apps that exist, as its published source sends requests and reads answers.
enum CoinShopApp: String, Sendable, CaseIterable {
    /// Sends JSON, and decodes exactly the names that the server writes.
    case chatify
    /// Sends a form, and converts from snake case.
    case lilac

    static let key = "sesac-app-key-of-tests"
    static let settings = ["LEDGERD_APP_KEYS": "another-app-key-of-tests,\(key)"]

    /// What both apps know of a purchase.
    struct Purchase: Equatable {
        let billingID: Int
        let merchantUID: String
        let amount: Int
        let sesacCoin: Int
        let success: Bool
        let createdAt: Date
    }

    /// A name as the apps invent it.
    static func merchantUID() -> String { "ios_\(key)_\(1_700_000_000 + Fresh.number % 2_500_000_000)" }

    var contentType: String {
        switch self {
        case .chatify: "application/json"
        case .lilac: "application/x-www-form-urlencoded; charset=utf-8"
        }
    }

    func body(_ payment: Payment) -> String {
        switch self {
        case .chatify: payment.receipt
        case .lilac: "imp_uid=\(payment.impUID)&merchant_uid=\(payment.merchantUID)"
        }
    }

    /// Decodes an answer as the app does; an app that can't shows an error though the coins are there.
    func purchase(_ answer: Answer) throws -> Purchase {
        let data = Data(answer.text.utf8)
        let decoder = JSONDecoder()
        let dates = DateFormatter()
        dates.locale = Locale(identifier: "en_US_POSIX")
        switch self {
        case .chatify:
            let exact = try decoder.decode(Exact.self, from: data)
            dates.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ"
            return Purchase(
                billingID: exact.billing_id, merchantUID: exact.merchant_uid, amount: exact.amount,
                sesacCoin: exact.sesacCoin, success: exact.success,
                createdAt: try #require(dates.date(from: exact.createdAt)))
        case .lilac:
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let converted = try decoder.decode(Converted.self, from: data)
            dates.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
            dates.timeZone = TimeZone(secondsFromGMT: 0)
            return Purchase(
                billingID: converted.billingId, merchantUID: converted.merchantUid, amount: converted.amount,
                sesacCoin: converted.sesacCoin, success: converted.success,
                createdAt: try #require(dates.date(from: converted.createdAt)))
        }
    }

    // The apps' own types: their names are what is tested.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private struct Exact: Decodable {
        let billing_id: Int
        let merchant_uid: String
        let amount: Int
        let sesacCoin: Int
        let success: Bool
        let createdAt: String
    }

    private struct Converted: Decodable {
        let billingId: Int
        let merchantUid: String
        let amount: Int
        let sesacCoin: Int
        let success: Bool
        let createdAt: String
    }
}

extension Service {
    /// What an app's user validates; by default with the bare token.
    func validate(
        _ payment: Payment, with app: CoinShopApp = .chatify, by user: String = "ann", prefix: String = ""
    ) async throws -> Answer {
        try await validate(
            app.body(payment), type: app.contentType, authorization: prefix + Token.user(user))
    }

    /// Validates with a body and headers that need not be right.
    func validate(
        _ body: String, type: String? = "application/json", key: String? = CoinShopApp.key,
        authorization: String? = Token.user("ann")
    ) async throws -> Answer {
        try await store(.post, "/pay/validation", key: key, authorization: authorization, type: type, body: body)
    }

    /// Asks anything of the apps' part.
    func store(
        _ method: HTTPRequest.Method, _ path: String, key: String? = CoinShopApp.key,
        authorization: String? = Token.user("ann"), type: String? = nil, body: String = ""
    ) async throws -> Answer {
        let headers = [("SesacKey", key), ("Authorization", authorization), ("Content-Type", type)]
        return try await send(
            method, "/v1/store" + path, headers: headers.compactMap { name, value in value.map { (name, $0) } },
            body: body)
    }
}

extension Answer {
    /// Expects an error as the apps know it, and nothing else.
    func expect(_ code: String, _ status: Int = 400, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(text == #"{"errorCode":"\#(code)"}"#, "\(self)", sourceLocation: sourceLocation)
        #expect(self.status == status, "\(self)", sourceLocation: sourceLocation)
        #expect(headers["Content-Type"]?.hasPrefix("application/json") == true, sourceLocation: sourceLocation)
    }
}
