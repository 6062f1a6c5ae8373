import FoundationEssentials
import JWTKit
import WireFormats
import X509

/// A JWS in the App Store's form, read and not verified.
struct SignedData {
    /// Leaf, intermediate and root.
    static let chainLength = 3
    /// The size limit, larger than any notification.
    static let maxBytes = 64 << 10

    let certificates: [Certificate]
    let payload: JSON

    /// When it says that it was signed.
    let signedAt: Date

    /// - Parameter latest: the last moment at which it can be signed.
    init(_ token: [UInt8], latest: Date) throws(SignedDataError) {
        guard token.count <= Self.maxBytes else { throw Self.malformed("it is too large") }
        let header: JWTHeader
        do {
            let parsed = try DefaultJWTParser(jsonDecoder: SignedPayloadDecoder()).parse(token, as: SignedPayload.self)
            (header, payload) = (parsed.header, parsed.payload.json)
        } catch {
            throw Self.malformed("it is not a JWS")
        }
        // The library would also take RS256 and other keys, and extensions that it does not know.
        guard header.alg == "ES256", header.fields["crit"] == nil else {
            throw SignedDataError(.badSignature, "the algorithm is not ES256")
        }
        guard let x5c = header.x5c, x5c.count == Self.chainLength else {
            throw SignedDataError(.badSignature, "the header has not exactly three certificates")
        }
        do {
            certificates = try x5c.map { text in
                guard let der = Data(base64Encoded: text) else { throw Self.malformed("x5c is not base64") }
                return try Certificate(derEncoded: [UInt8](der))
            }
        } catch {
            throw Self.malformed("the certificates can't be read")
        }
        signedAt = try SignedMembers(payload).requiredTime("signedDate")
        // Only the future is refused: a stored one is old and right.
        guard signedAt <= latest else { throw SignedDataError(.signedLater, "signedDate is later than now") }
    }

    private static func malformed(_ what: String) -> SignedDataError { SignedDataError(.malformed, what) }
}

/// The payload as text that is read strictly, with the date at which the chain is judged.
struct SignedPayload: ValidationTimePayload {
    let json: JSON
    let signedDate: Date

    init(json: JSON, signedDate: Date) {
        self.json = json
        self.signedDate = signedDate
    }

    /// Only ``SignedPayloadDecoder`` makes one.
    init(from decoder: any Decoder) throws {
        throw SignedDataError(.malformed, "a payload is read as a whole")
    }

    func encode(to encoder: any Encoder) throws {
        throw SignedDataError(.malformed, "a payload is not written")
    }

    /// Checks nothing: its readers do.
    func verify(using algorithm: some JWTAlgorithm) {}
}

/// Reads header and payload strictly, so that no two readers can understand them differently.
///
/// The library takes the chain's date from the payload; here it is given, because a number from outside must not be
/// converted unchecked.
struct SignedPayloadDecoder: JWTJSONDecoder {
    var date = Date(timeIntervalSince1970: 0)

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let json = try JSONParser.parse([UInt8](data))
        if let payload = SignedPayload(json: json, signedDate: date) as? Value { return payload }
        return try JSONDecoder().decode(type, from: data)
    }
}
