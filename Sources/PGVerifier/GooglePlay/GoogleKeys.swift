import FoundationEssentials
import JWTKit
import OutboundHTTP
import Timing
import WireFormats

/// Google's public keys, by the ids that tokens name.
///
/// They are kept for as long as Google says. While they can't be read, the previous ones stay valid for a day.
actor GoogleKeys {
    /// The shortest time between two readings: anybody can make up tokens that name unknown keys.
    private static let shortestPause = Duration.seconds(10)
    private static let usualAge = Duration.seconds(3600)
    private static let greatestAge = Duration.seconds(86_400)
    private static let timeout = Duration.seconds(4)

    private let url: HTTPURL
    private let transport: any HTTPTransport
    private let time: Time

    private var keys: [String: any JWTAlgorithm] = [:]
    private var readAt: ContinuousClock.Instant?
    private var freshUntil: ContinuousClock.Instant?
    private var triedAt: ContinuousClock.Instant?
    private var reading: Task<Void, Never>?

    init(url: HTTPURL, transport: any HTTPTransport, time: Time) {
        self.url = url
        self.transport = transport
        self.time = time
    }

    /// The key with this id, for RS256; nil: Google has none.
    ///
    /// - Throws: ``GooglePlayPushError/Code/keysUnavailable`` if that could not be found out.
    func key(_ id: String) async throws(GooglePlayPushError) -> (any JWTAlgorithm)? {
        if let freshUntil, time.instant < freshUntil, let key = keys[id] { return key }
        await read()
        if let key = keys[id], let readAt, time.instant < readAt + Self.greatestAge { return key }
        guard let readAt, let triedAt, readAt >= triedAt else {
            throw GooglePlayPushError(.keysUnavailable, "Google's keys can't be read now")
        }
        return nil
    }

    /// Reads the keys unless that was tried a moment ago; all who need them wait for one reading.
    private func read() async {
        if let reading { return await reading.value }
        if let triedAt, time.instant < triedAt + Self.shortestPause { return }
        triedAt = time.instant
        let task = Task { await replaceKeys() }
        reading = task
        await task.value
        reading = nil
    }

    private func replaceKeys() async {
        let request = HTTPRequest(
            .get, url, headers: [("Accept", "application/json")], totalTimeout: Self.timeout,
            maxResponseBytes: 64 << 10)
        guard let response = try? await transport.send(request), response.status == 200,
            let keys = try? await Self.keys(in: response.body)
        else { return }
        self.keys = keys
        let now = time.instant
        readAt = now
        freshUntil = now + min(response.maxAge ?? Self.usualAge, Self.greatestAge)
    }

    /// The keys of a JWKS (RFC 7517) that sign with RS256; others are skipped.
    ///
    /// - Throws: if it has none.
    private static func keys(in body: [UInt8]) async throws -> [String: any JWTAlgorithm] {
        var keys: [String: any JWTAlgorithm] = [:]
        for json in try JSONParser.parse(body)["keys"]?.elements ?? [] {
            guard json["kty"]?.text == "RSA", json["alg"]?.text ?? "RS256" == "RS256",
                json["use"]?.text ?? "sig" == "sig",
                let id = json["kid"]?.text, let modulus = json["n"]?.text, let exponent = json["e"]?.text,
                let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { continue }
            keys[id] = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
        }
        guard !keys.isEmpty else { throw GooglePlayPushError(.keysUnavailable, "there is no key of Google's") }
        return keys
    }
}

extension HTTPResponse {
    /// The `max-age` of `Cache-Control`; nil: none.
    fileprivate var maxAge: Duration? {
        let directives = headers["cache-control"]?.split(separator: ",") ?? []
        let ages = directives.compactMap { directive -> Int64? in
            let text = directive.drop { $0 == " " }.lowercased()
            return text.hasPrefix("max-age=") ? Int64(digits: text.dropFirst("max-age=".count)) : nil
        }
        return ages.first.map { .seconds($0) }
    }
}
