/// A bank account that money is sent to: a virtual account can't send its own back.
///
/// Personal data: it describes itself as asterisks, is kept while its refund is pending, and erased after.
public struct BankAccount: Sendable, Equatable, Codable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The bank, in the gateway's code.
    public let bank: String
    /// The account's number.
    public let number: String
    /// Whose it is.
    public let holder: String
    /// The holder's telephone, where the gateway asks for it.
    public let phone: String?

    /// Names an account.
    public init(bank: String, number: String, holder: String, phone: String? = nil) {
        self.bank = bank
        self.number = number
        self.holder = holder
        self.phone = phone
    }

    /// Asterisks.
    public var description: String { "****" }

    /// Asterisks.
    public var debugDescription: String { "****" }

    /// Nothing to see.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
