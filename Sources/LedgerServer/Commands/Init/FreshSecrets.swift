import Ledger

/// The secrets of a new installation, all random.
struct FreshSecrets: Sendable {
    let ownerPassword = Self.random()
    let servicePassword = Self.random()
    /// The HS256 secret of access tokens.
    let tokens = Self.random()
    let sealKey = SealKey()
    let forgettingKey = ForgettingKey()
    let endpointKey = EndpointKeys.Master.newText()

    /// 256 bits of the system's cryptographic random numbers (getrandom(2)), in hexadecimal, which needs no quoting.
    private static func random() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<32).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &source)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
    }
}
