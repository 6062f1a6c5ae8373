package import Foundation

/// A signed state of the chain: kept elsewhere, it proves what stood in the books.
package struct Seal: Sendable, Equatable {
    /// What it says.
    package let content: SealContent
    /// The key that it names as its own: whoever checks it must know the key from elsewhere.
    package let publicKey: SealPublicKey
    let signature: [UInt8]

    /// Whether the content is signed by this key.
    func isSigned(by key: SealPublicKey) -> Bool { key.isSignature(signature, of: content.text) }
}

extension Seal {
    /// Signs a content.
    init(_ content: SealContent, by key: SealKey) throws {
        self.init(
            content: content, publicKey: key.publicKey, signature: try key.signature(of: content.text))
    }
}

// MARK: - As a file

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

    /// The seal as a file holds it: JSON.
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

    /// Reads a file; nil unless it is a seal, be it signed well or not.
    package init?(file data: Data) {
        guard let file = try? JSONDecoder().decode(File.self, from: data), file.format == Self.format,
            let content = SealContent(text: file.statement), let publicKey = SealPublicKey(base64: file.publicKey),
            let signature = Data(base64Encoded: file.signature)
        else { return nil }
        self.init(content: content, publicKey: publicKey, signature: Array(signature))
    }
}
