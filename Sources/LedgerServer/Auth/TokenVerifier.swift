import Crypto
import FoundationEssentials
import JWTKit
import Ledger
import Synchronization
import Timing

/// Verifies JWTs and returns their ``Principal``.
///
/// It checks the header's algorithm and key, the signature, then the claims. No claim is used before the signature is
/// verified. It suspends only for a token that names an unknown key (``JWKSReader``), because the keys are in memory.
/// The claims of verified tokens are cached (``VerifiedTokens``) until the keys change; their times are checked on each
/// use.
final class TokenVerifier: Sendable {
    /// The requirements on a token's claims.
    struct Rules: Sendable {
        /// The required `iss`; nil for any.
        var issuer: String?
        /// The value that `aud` must contain; nil for any.
        var audience: String?
        /// The claim that names a user.
        var userClaim = "sub"
        /// How far `nbf` can be in the future, for an issuer whose clock is ahead.
        ///
        /// `exp` has no leeway: clients renew their tokens before.
        var notBeforeLeeway: Duration = .seconds(30)
    }

    private static let maxTokenLength = 8192

    /// The keys, and the tokens verified with them.
    ///
    /// They are replaced together, so that no token outlives its key.
    private struct State {
        var keys: TokenKeys
        /// The number of replacements of the keys.
        var generation = 0
        var verified = VerifiedTokens()
    }

    private let state: Mutex<State>
    private let rules: Rules
    private let claimsDecoder: JSONDecoder
    /// The decoded headers of verified tokens.
    ///
    /// There are about as many as keys, because only a verified token adds one.
    private let knownHeaders = Mutex([ArraySlice<UInt8>: TokenHeader]())
    private static let maxKnownHeaders = 64
    private let renewal = Mutex<(@Sendable () async -> Void)?>(nil)

    init(keys: TokenKeys, rules: Rules = Rules()) {
        state = Mutex(State(keys: keys))
        self.rules = rules
        claimsDecoder = TokenClaims.decoder(user: rules.userClaim)
    }

    /// Replaces the keys; known tokens are verified again.
    func replaceKeys(by keys: TokenKeys) {
        state.withLock { $0 = State(keys: keys, generation: $0.generation + 1) }
    }

    /// Sets what fetches the keys when a token names an unknown one.
    func renewKeys(by renew: @escaping @Sendable () async -> Void) {
        renewal.withLock { $0 = renew }
    }

    /// Verifies a token.
    ///
    /// If it names an unknown key, the keys are fetched once more before it is refused.
    ///
    /// - Throws: as ``verify(_:now:)``.
    func authenticate(_ token: some StringProtocol & Sendable) async throws(Problem) -> Principal {
        do throws(Problem) {
            return try verify(token)
        } catch {
            guard let renew = renewal.withLock(\.self), namesUnknownKey(token) else { throw error }
            await renew()
            return try verify(token)
        }
    }

    /// Whether the token's header, which anybody can write, names a key that is not known.
    private func namesUnknownKey(_ token: some StringProtocol) -> Bool {
        guard token.utf8.count <= Self.maxTokenLength,
            let first = Array(token.utf8).split(separator: UInt8(ascii: "."), maxSplits: 1).first,
            let id = (try? header(first))?.kid
        else { return false }
        return !state.withLock { $0.keys.contains(id) }
    }

    /// The number of cached tokens, and their approximate size in bytes.
    var known: (count: Int, size: Int) { state.withLock { ($0.verified.count, $0.verified.size) } }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - token: the compact form, `header.payload.signature`.
    ///   - now: the time to compare `exp` and `nbf` with.
    /// - Throws: `token_expired` if the token is only expired, otherwise `token_invalid`.
    func verify(_ token: some StringProtocol, now: Date = Time.current.now) throws(Problem) -> Principal {
        guard token.utf8.count <= Self.maxTokenLength else { throw .tokenInvalid("the token is too long") }
        let bytes = Array(token.utf8)
        let name = SHA256.hash(data: bytes)
        let (known, keys, generation) = state.withLock { ($0.verified.entry(name), $0.keys, $0.generation) }
        if let known {
            // If its times are over, it is verified like an unknown token, so that the error is the same.
            if (try? checkTimes(of: known, now: now)) != nil { return known.principal }
            state.withLock { $0.verified.forget(name) }
        }
        let entry = try verify(bytes, with: keys)
        try checkTimes(of: entry, now: now)
        // If the keys were replaced meanwhile, the token is not cached.
        state.withLock { if $0.generation == generation { $0.verified.keep(entry, as: name) } }
        return entry.principal
    }

    /// Verifies all but the times.
    private func verify(_ bytes: [UInt8], with keys: TokenKeys) throws(Problem) -> VerifiedTokens.Entry {
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .tokenInvalid("the token does not have three parts") }
        let header = try header(parts[0])
        guard let signature = Base64URL.decode(parts[2]) else { throw .tokenInvalid("the signature is not base64url") }
        try checkSignature(signature, of: bytes[..<parts[1].endIndex], header: header, keys)
        remember(header, as: parts[0])
        return try entry(of: claims(parts[1]))
    }

    private func header(_ encoded: ArraySlice<UInt8>) throws(Problem) -> TokenHeader {
        if let known = knownHeaders.withLock({ $0[encoded] }) { return known }
        guard let json = Base64URL.decode(encoded),
            let header = try? Self.decoder.decode(TokenHeader.self, from: Data(json))
        else {
            throw .tokenInvalid("the header can't be read")
        }
        guard header.crit == nil else { throw .tokenInvalid("the header requires an unsupported extension") }
        return header
    }

    private func remember(_ header: TokenHeader, as encoded: ArraySlice<UInt8>) {
        knownHeaders.withLock { known in
            if known[encoded] == nil, known.count < Self.maxKnownHeaders { known[ArraySlice(Array(encoded))] = header }
        }
    }

    private func checkSignature(
        _ signature: [UInt8], of signed: ArraySlice<UInt8>, header: TokenHeader, _ keys: TokenKeys
    ) throws(Problem) {
        let candidates = keys.candidates(algorithm: header.alg, id: header.kid)
        guard !candidates.isEmpty else { throw .tokenInvalid("no key is configured for the algorithm and key id") }
        // A key throws if the signature can't be from it, for example because of its length.
        guard candidates.contains(where: { (try? $0.algorithm.verify(signature, signs: signed)) == true }) else {
            throw .tokenInvalid("the signature is invalid")
        }
    }

    private func claims(_ encoded: ArraySlice<UInt8>) throws(Problem) -> TokenClaims {
        guard let json = Base64URL.decode(encoded),
            let claims = try? claimsDecoder.decode(TokenClaims.self, from: Data(json))
        else {
            throw .tokenInvalid("the claims can't be read")
        }
        return claims
    }

    private func entry(of claims: TokenClaims) throws(Problem) -> VerifiedTokens.Entry {
        if let issuer = rules.issuer, claims.iss != issuer { throw .tokenInvalid("the issuer is wrong") }
        if let audience = rules.audience, claims.aud?.names.contains(audience) != true {
            throw .tokenInvalid("the audience is wrong")
        }
        let scopes = Self.scopes(claims.scope)
        // Users need the configured claim; services can use `sub` instead.
        let name = scopes.contains(.user) ? claims.user : claims.user ?? claims.sub
        guard let subject = name, UserID(rawValue: subject) != nil else { throw .subjectInvalid }
        guard let expiry = claims.exp else { throw .tokenInvalid("the expiry is missing") }
        return VerifiedTokens.Entry(
            principal: Principal(subject: subject, scopes: scopes), notBefore: claims.nbf, expiry: expiry)
    }

    private func checkTimes(of entry: VerifiedTokens.Entry, now: Date) throws(Problem) {
        let seconds = now.timeIntervalSince1970
        let leeway = Double(rules.notBeforeLeeway.components.seconds)
        if let notBefore = entry.notBefore, seconds + leeway < notBefore {
            throw .tokenInvalid("the token is not valid yet")
        }
        // Checked last: `token_expired` tells the client that a new token of the same kind is valid.
        guard seconds < entry.expiry else { throw .tokenExpired }
    }

    /// A token without a `scope` claim has the scope `user`, as the tokens of the apps.
    private static func scopes(_ claim: TokenClaims.Names?) -> Scope {
        guard let claim else { return .user }
        return Scope(names: claim.names.flatMap { $0.split(separator: " ") })
    }

    private static let decoder = JSONDecoder()
}
