/// The bank account that receives a refund.
///
/// Payments to a virtual account need one.
///
/// Personal data: it is printed as asterisks, stored while its refund is pending, and erased afterwards.
package struct BankAccount: Sendable, Equatable, Codable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The gateway's code of the bank.
    package let bank: String
    /// The account number.
    package let number: String
    package let holder: String
    /// The holder's telephone number, if the gateway requires it.
    package let phone: String?

    package init(bank: String, number: String, holder: String, phone: String? = nil) {
        self.bank = bank
        self.number = number
        self.holder = holder
        self.phone = phone
    }

    /// Always `****`.
    package var description: String { "****" }

    /// Always `****`.
    package var debugDescription: String { "****" }

    /// Shows no members.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
