import Foundation
import Ledger
import OutboundHTTP
import StandardWebhooks

/// What is done with endpoints, for the API and the command line.
struct EndpointDesk: Sendable {
    let ledger: Ledger
    let keys: EndpointKeys
    let urls: EndpointURL
    let transport: any HTTPTransport

    /// - Throws: `endpoint_url_refused` for a URL that breaks a rule.
    func check(_ url: String) throws(Problem) {
        guard let rule = urls.violatedRule(url) else { return }
        throw Problem(.endpointURLRefused, "/url \(rule)", members: ["pointer": "/url"])
    }

    /// Whether there are no events to send again after one and up to another; nil: up to the latest.
    static func isNothing(after: Int64, until: Int64?) -> Bool { until.map { $0 <= after } ?? false }

    /// Creates an endpoint with a new secret.
    ///
    /// - Parameter url: a URL that ``EndpointURL`` allows.
    func create(
        url: String, description: String, filter: EndpointFilter, after: Int64?, under key: CallerKey
    ) async throws -> Endpoints.Keyed<Endpoint> {
        try await ledger.endpoints.create(
            EndpointDraft(
                url: url, description: description, filter: filter, after: after, secret: keys.newSeed(), key: key))
    }

    /// Replaces the secret; nil: the endpoint does not exist.
    func rotateSecret(
        of id: Int64, under key: CallerKey
    ) async throws -> (endpoint: Endpoint, isRepeat: Bool)? {
        try await ledger.endpoints.rotateSecret(of: id, to: keys.newSeed(), under: key)
    }

    /// The secret of an endpoint; nil: the settings do not have its key any more.
    func secret(of endpoint: Endpoint) -> String? { keys.secret(of: endpoint.secret)?.text }

    /// Sends a test event, also to a disabled endpoint.
    ///
    /// It is sent once, and is not among the deliveries.
    func test(_ endpoint: Endpoint) async throws -> WebhookSender.Attempt {
        guard let signer = keys.signer(of: endpoint) else {
            throw LedgerError.unexpected("endpoint_key does not have the key that the endpoint's secret is made of")
        }
        let sender = WebhookSender(
            transport: transport, url: try HTTPURL(endpoint.url, isBase: false), signer: signer)
        let id = "test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        return await sender.send(id: id, body: Array(#"{"type":"endpoint.test","endpoint":\#(endpoint.id)}"#.utf8))
    }
}
