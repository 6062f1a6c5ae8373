import WireFormats

/// The token from `POST /users/getToken`, with times of our monotonic clock.
struct AccessToken: Sendable {
    let text: String
    let expiresAt: ContinuousClock.Instant

    /// Reads the answer to a request sent at `sent`.
    ///
    /// The lifetime is `expired_at - now`, both by the gateway's clock, because ours may be wrong (PortOne V1 contract,
    /// authentication).
    init(_ json: JSON, sent: ContinuousClock.Instant) throws(GatewayError) {
        guard let text = json["access_token"]?.text, (1...4096).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let now = json["now"]?.integer, let expiry = json["expired_at"]?.integer,
            case (let lifetime, let overflow) = expiry.subtractingReportingOverflow(now), !overflow
        else { throw GatewayError(.malformedAnswer, httpStatus: 200, message: "the token is unusable") }
        self.text = text
        expiresAt = sent + .seconds(min(max(0, lifetime), 86_400))
    }
}
