import Foundation
import StandardWebhooks
import TestSupport
import Testing

/// docs/clients.md: its programs, the requests that they send, and its webhook.
struct ClientsPage {
    /// A request of a program, as its code says it.
    struct Call: Equatable {
        let method: String
        let path: String
        /// Whether the user's token is sent, and not the service's.
        let isOfUser: Bool
        let hasKey: Bool
        /// The members in JSON; a payment's ids are empty, because the program has variables for them.
        let body: [String: String]

        var summary: String { "\(method) \(path)" }
    }

    /// The page's webhook.
    struct Webhook {
        let secret: String
        let headers: [String: String]
        let body: String

        /// Verifies it some seconds after it was sent.
        func verify(with verifier: WebhookVerifier, after seconds: TimeInterval) throws {
            let timestamp = headers["webhook-timestamp"]
            let sent = try #require(timestamp.flatMap(TimeInterval.init))
            try verifier.verify(
                id: headers["webhook-id"], timestamp: timestamp, signature: headers["webhook-signature"],
                body: Data(body.utf8), now: Date(timeIntervalSince1970: sent + seconds))
        }
    }

    private let text: String

    init() throws {
        text = try String(contentsOf: Golden.root.appending(path: "docs/clients.md"), encoding: .utf8)
    }

    /// The programs in a language: the purchase with a spend, and the verification of webhooks.
    func programs(in language: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst()
            .map { $0.components(separatedBy: "\n```\n")[0] + "\n" }
    }

    /// The requests of the purchase with a spend, in their order.
    func calls(in language: String) throws -> [Call] {
        let program = try #require(programs(in: language).first)
        return program.matches(
            of: #/call\(\s*"([A-Z]+)", "(/[^"]*)", (\w+)(?:, (\w+))?(?:, [^{()]*\{([^{}]*)\})?/#
        ).map { call in
            Call(
                method: String(call.1), path: String(call.2), isOfUser: call.3.lowercased() == "user",
                hasKey: call.4?.hasSuffix("Key") == true || call.4?.hasSuffix("_key") == true,
                body: Self.members(of: call.5 ?? ""))
        }
    }

    private static func members(of body: Substring) -> [String: String] {
        let members = body.matches(of: #/"(\w+)": ("[^"]*"|\w+)/#).map { member in
            (String(member.1), ["imp_uid", "merchant_uid"].contains(member.1) ? "" : String(member.2))
        }
        return Dictionary(members) { $1 }
    }

    func webhook() throws -> Webhook {
        let secret = try #require(text.firstMatch(of: #/`(whsec_[A-Za-z0-9+\/=]+)`/#)?.1)
        let message = try #require(programs(in: "http").first).components(separatedBy: "\n\n")
        let headers = message[0].matches(of: #/(?m)^([a-z-]+): (.+)$/#).map { (String($0.1), String($0.2)) }
        return Webhook(
            secret: String(secret), headers: Dictionary(headers) { $1 },
            body: try #require(message.last).trimmingCharacters(in: .newlines))
    }
}
