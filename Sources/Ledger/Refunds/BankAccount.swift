/// A bank account that money is sent to: a virtual account can't send its own back.
///
/// Personal data: it describes itself as asterisks, is kept while its refund is pending, and erased after.
package struct BankAccount: Sendable, Equatable, Codable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The bank, in the gateway's code.
    package let bank: String
    /// The account's number.
    package let number: String
    /// Whose it is.
    package let holder: String
    /// The holder's telephone, where the gateway asks for it.
    package let phone: String?

    /// Names an account.
    package init(bank: String, number: String, holder: String, phone: String? = nil) {
        self.bank = bank
        self.number = number
        self.holder = holder
        self.phone = phone
    }

    /// Asterisks.
    package var description: String { "****" }

    /// Asterisks.
    package var debugDescription: String { "****" }

    /// Nothing to see.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
