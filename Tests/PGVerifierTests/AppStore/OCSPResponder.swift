import Crypto
import Foundation
import OutboundHTTP
import SwiftASN1
import Synchronization
import TestSupport
import X509

@testable import PGVerifier

/// Answers what is asked about the certificates of a house (RFC 6960), and writes down what it was asked.
final class OCSPResponder: HTTPTransport {
    /// What it says about a certificate.
    enum Word: Sendable {
        case good
        case revoked
        case unknown
        /// Good, as of two days ago until yesterday.
        case stale
        /// Good, by a clock that is an hour ahead.
        case early
        /// Success, of which nothing is said.
        case empty
        /// Good, signed by somebody else.
        case forged
        case tryLater
        case notOCSP
        case status(Int)
        case down
    }

    private let house: AppStoreHouse
    private let state: Mutex<(leaf: Word, intermediate: Word, asked: [String])>

    init(_ house: AppStoreHouse, leaf: Word = .good, intermediate: Word = .good) {
        self.house = house
        state = Mutex((leaf, intermediate, []))
    }

    /// The addresses that were asked, in order.
    var asked: [String] { state.withLock { $0.asked } }

    /// Says something else about the leaf from now on.
    func say(_ word: Word) { state.withLock { $0.leaf = word } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let address = request.url.text
        let isLeaf = address == AppStoreHouse.leafAddress
        let word = state.withLock { state in
            state.asked.append(address)
            return isLeaf ? state.leaf : state.intermediate
        }
        switch word {
        case .down: throw TransportError(.unreachable, "nobody is there")
        case .status(let status): return HTTPResponse(status: status)
        case .notOCSP: return HTTPResponse(status: 200, body: Array("<html>".utf8))
        case .tryLater: return HTTPResponse(status: 200, body: Self.sequence(Self.node(0x0a, [3])))
        case .empty: return HTTPResponse(status: 200, body: Self.sequence(Self.node(0x0a, [0])))
        default: break
        }
        do {
            return HTTPResponse(
                status: 200, body: try answer(word, request.body, by: isLeaf ? house.intermediate : house.root))
        } catch {
            throw TransportError(.invalidRequest, "the request is not OCSP")
        }
    }

    private func answer(_ word: Word, _ request: [UInt8], by issuer: AppStoreHouse.Authority) throws -> [UInt8] {
        let status: [UInt8] =
            switch word {
            case .revoked: Self.node(0xa1, Self.time(-1))
            case .unknown: Self.node(0x82)
            default: Self.node(0x80)
            }
        let (from, until) =
            switch word {
            case .stale: (-2.0, -1.0)
            case .early: (1.0 / 24, 1.0)
            default: (-1.0, 1.0)
            }
        let single = Self.sequence(
            try Self.certificateID(request), status, Self.time(from), Self.node(0xa0, Self.time(until)))
        let keyHash = Array(Insecure.SHA1.hash(data: issuer.certificate.publicKey.subjectPublicKeyInfoBytes))
        let data = Self.sequence(
            Self.node(0xa2, Self.node(0x04, keyHash)), Self.time(from), Self.sequence(single))
        let key = if case .forged = word { P384.Signing.PrivateKey() } else { issuer.key }
        let signature = Array(try key.signature(for: data).derRepresentation)
        let basic = Self.sequence(data, Self.sequence(Self.ecdsaWithSHA384), Self.node(0x03, [0] + signature))
        return Self.sequence(
            Self.node(0x0a, [0]), Self.node(0xa0, Self.sequence(Self.basicResponse, Self.node(0x04, basic))))
    }

    /// The first certificate that is asked about, as it was written.
    private static func certificateID(_ request: [UInt8]) throws -> [UInt8] {
        var node = try DER.parse(request)
        // OCSPRequest, TBSRequest, requestList, Request, CertID.
        for _ in 0..<4 {
            guard case .constructed(let nodes) = node.content, let first = nodes.first(where: { _ in true }) else {
                throw TransportError(.invalidRequest, "the request is not OCSP")
            }
            node = first
        }
        return Array(node.encodedBytes)
    }

    private static let ecdsaWithSHA384: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03]
    private static let basicResponse: [UInt8] = [0x06, 0x09, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]

    private static func sequence(_ parts: [UInt8]...) -> [UInt8] { node(0x30, parts.flatMap(\.self)) }

    private static func node(_ tag: UInt8, _ content: [UInt8] = []) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case ..<128: [UInt8(content.count)]
            case ..<256: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
            }
        return [tag] + length + content
    }

    /// GeneralizedTime, this many days from noon.
    private static func time(_ days: Double) -> [UInt8] {
        let date = ManualTime.noon.addingTimeInterval(days * 86_400)
        let text = date.ISO8601Format().filter { $0 != "-" && $0 != ":" && $0 != "T" }
        return node(0x18, Array(text.utf8))
    }
}
