import Foundation

/// What nobody else has: names of databases, payments and keys, also beside other runs on this machine.
///
/// No verdict depends on it. What a test decides by chance it draws from a ``SplitMix64`` with ``Effort/seed``.
package enum Fresh {
    package static var number: UInt64 { .random(in: .min ... .max) }

    /// Letters and digits.
    package static var word: String { String(number, radix: 36) }

    /// 32 bytes in base64url, as a form has them for its key.
    package static var key: String {
        Data((0..<4).flatMap { _ in withUnsafeBytes(of: number, Array.init) }).base64URL
    }
}
