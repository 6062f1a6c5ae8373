import Foundation
package import Ledger
import OutboundHTTP
import StandardWebhooks

/// Signs webhooks and sends them to endpoints: the URLs that are allowed, the secrets, and the connections.
package struct EndpointSender: Sendable {
    let ledger: Ledger
    let keys: EndpointKeys
    let urls: EndpointURL
    let transport: any HTTPTransport

    /// - Throws: `endpoint_url_refused` for a URL that breaks a rule.
    func check(_ url: String) throws(InputFault) {
        if let rule = urls.violatedRule(url) { throw InputFault("url", rule, code: .endpointURLRefused) }
    }

    /// The secret of an endpoint; nil: the settings do not have its key any more.
    package func secret(of endpoint: Endpoint) -> String? { keys.secret(of: endpoint.secret)?.text }

    /// Sends a test event, also to a disabled endpoint.
    ///
    /// It is sent once, and is not among the deliveries.
    package func test(_ endpoint: Endpoint) async throws -> WebhookSender.Attempt {
        guard let signer = keys.signer(of: endpoint) else {
            throw LedgerError.unexpected("endpoint_key does not have the key that the endpoint's secret is made of")
        }
        let sender = WebhookSender(
            transport: transport, url: try HTTPURL(endpoint.url, isBase: false), signer: signer)
        let id = "test_" + String(UInt64.random(in: .min ... .max), radix: 36)
        return await sender.send(id: id, body: Array(#"{"type":"endpoint.test","endpoint":\#(endpoint.id)}"#.utf8))
    }
}
