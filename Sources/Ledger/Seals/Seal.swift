package import Foundation
import WireFormats

/// A signed state of the chain.
///
/// A copy that is stored elsewhere proves what the books contained.
package struct Seal: Sendable, Equatable {
    package let content: SealContent
    /// The key that the seal names.
    ///
    /// To check a seal, get the key from another source.
    package let publicKey: SealPublicKey
    let signature: [UInt8]

    /// Whether this key signed the content.
    func isSigned(by key: SealPublicKey) -> Bool { key.isSignature(signature, of: content.text) }
}

extension Seal {
    /// Signs the content.
    init(_ content: SealContent, by key: SealKey) throws {
        self.init(
            content: content, publicKey: key.publicKey, signature: try key.signature(of: content.text))
    }
}

// MARK: - File format

extension Seal {
    private static let format = "ledgerd-seal-1"

    private struct File: Codable {
        let format: String
        let statement: String
        let publicKey: String
        let signature: String

        enum CodingKeys: String, CodingKey {
            case format, statement, signature
            case publicKey = "public_key"
        }
    }

    /// The seal's file, in JSON.
    package var file: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let file = File(
                format: Self.format, statement: content.text, publicKey: publicKey.base64,
                signature: Data(signature).base64EncodedString())
            return try encoder.encode(file) + Data("\n".utf8)
        }
    }

    /// Reads a file; nil: it is not a seal.
    ///
    /// The signature is not checked.
    package init?(file data: Data) {
        guard let file = try? JSONDecoder().decode(File.self, from: data), file.format == Self.format,
            let content = SealContent(text: file.statement), let publicKey = SealPublicKey(base64: file.publicKey),
            let signature = Data(base64Encoded: file.signature)
        else { return nil }
        self.init(content: content, publicKey: publicKey, signature: Array(signature))
    }
}

extension Seal {
    /// Writes the members of the file, for an archive.
    func write(to out: inout JSONWriter) {
        out.beginObject()
        out.member("format", Self.format)
        out.member("statement", content.text)
        out.member("public_key", publicKey.base64)
        out.member("signature", Data(signature).base64EncodedString())
        out.endObject()
    }

    private static let members: Set<String> = ["format", "statement", "public_key", "signature"]

    /// Reads the members of the file; nil: it is not a seal.
    ///
    /// The signature is not checked. A member that is unknown is refused: the signature would not cover it.
    init?(json: JSON) {
        guard case .object(let members) = json, Self.members.isSuperset(of: members.keys),
            json["format"]?.text == Self.format,
            let content = json["statement"]?.text.flatMap(SealContent.init(text:)),
            let publicKey = json["public_key"]?.text.flatMap(SealPublicKey.init(base64:)),
            let signature = json["signature"]?.text.flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        self.init(content: content, publicKey: publicKey, signature: Array(signature))
    }
}
