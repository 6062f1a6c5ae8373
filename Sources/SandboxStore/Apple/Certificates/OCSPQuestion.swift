import SwiftASN1
import X509

/// The certificate that an OCSP request asks for, the first if it asks for several (RFC 6960, 4.1.1).
struct OCSPQuestion {
    /// The CertID, which the answer repeats as it came.
    let certID: ArraySlice<UInt8>
    let serialNumber: Certificate.SerialNumber

    /// - Throws: if `der` isn't a request.
    init(_ der: [UInt8]) throws {
        let request = try Self.children(try DER.parse(der))
        let list = try Self.children(request.first).first { $0.identifier == .sequence }
        let certID = try Self.children(try Self.children(list).first).first
        guard let certID, let serialNumber = try Self.children(certID).last, serialNumber.identifier == .integer,
            case .primitive(let bytes) = serialNumber.content
        else { throw Malformed() }
        self.certID = certID.encodedBytes
        self.serialNumber = Certificate.SerialNumber(bytes: bytes)
    }

    struct Malformed: Error {}

    private static func children(_ node: ASN1Node?) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node?.content else { throw Malformed() }
        return Array(nodes)
    }
}
