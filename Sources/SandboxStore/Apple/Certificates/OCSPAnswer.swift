import Crypto
import FoundationEssentials
import SwiftASN1

/// An answer for one certificate, signed by its issuer (RFC 6960, 4.2.1).
struct OCSPAnswer {
    enum State {
        case good
        case revoked
        case unknown
    }

    /// The answer in DER.
    let der: [UInt8]

    /// Answers without a content: the request was malformed, or is to be tried later.
    static let malformedRequest = unsuccessful(1)
    static let tryLater = unsuccessful(3)

    /// Signs what is so from `from` on, for a day.
    init(certID: ArraySlice<UInt8>, state: State, issuer: P384.Signing.PrivateKey, from: Date) throws {
        let data = Self.data(certID, state, issuer.publicKey, from)
        let signature = try issuer.signature(for: data).derRepresentation
        var basic = DER.Serializer()
        try basic.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(data)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize([1, 2, 840, 10045, 4, 3, 3] as ASN1ObjectIdentifier)
            }
            try coder.serialize(ASN1BitString(bytes: ArraySlice(signature)))
        }
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(0) }
            try coder.appendConstructedNode(identifier: Self.tag(0)) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize([1, 3, 6, 1, 5, 5, 7, 48, 1, 1] as ASN1ObjectIdentifier)
                    try coder.serialize(ASN1OctetString(contentBytes: basic.serializedBytes[...]))
                }
            }
        }
        der = coder.serializedBytes
    }

    /// The part that is signed; the responder is named by the hash of its key.
    private static func data(
        _ certID: ArraySlice<UInt8>, _ state: State, _ key: P384.Signing.PublicKey, _ from: Date
    ) -> [UInt8] {
        let keyHash = Array(Insecure.SHA1.hash(data: key.x963Representation))
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendConstructedNode(identifier: tag(2)) { coder in
                coder.appendPrimitiveNode(identifier: .octetString) { $0 += keyHash }
            }
            append(from, to: &coder)
            coder.appendConstructedNode(identifier: .sequence) { coder in
                coder.appendConstructedNode(identifier: .sequence) { coder in
                    coder.serializeRawBytes(certID)
                    append(state, since: from, to: &coder)
                    append(from, to: &coder)
                    coder.appendConstructedNode(identifier: tag(0)) { coder in
                        append(from.addingTimeInterval(86_400), to: &coder)
                    }
                }
            }
        }
        return coder.serializedBytes
    }

    private static func append(_ state: State, since: Date, to coder: inout DER.Serializer) {
        switch state {
        case .good: coder.appendPrimitiveNode(identifier: tag(0)) { _ in }
        case .revoked: coder.appendConstructedNode(identifier: tag(1)) { coder in append(since, to: &coder) }
        case .unknown: coder.appendPrimitiveNode(identifier: tag(2)) { _ in }
        }
    }

    /// A GeneralizedTime, which is ISO 8601 without its separators.
    private static func append(_ time: Date, to coder: inout DER.Serializer) {
        let text = time.formatted(Date.ISO8601FormatStyle()).filter { $0.isNumber || $0 == "Z" }
        coder.appendPrimitiveNode(identifier: .generalizedTime) { $0 += Array(text.utf8) }
    }

    private static func unsuccessful(_ status: UInt8) -> [UInt8] {
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(status) }
        }
        return coder.serializedBytes
    }

    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
