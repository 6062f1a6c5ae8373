/// Something that must not happen.
package struct Violation: Codable, Hashable, Sendable, CustomStringConvertible {
    /// What is violated.
    package enum Rule: String, Codable, Sendable, CaseIterable {
        /// An act was answered as done, and is not in the books.
        case acknowledgedActMissing = "acknowledged act missing"
        /// An act is in the books more than once.
        case actTwice = "act done twice"
        /// An act is in the books with other coins or another user than its client said, or was refused and done.
        case actDiffers = "act differs from its request"
        /// A repeat got another answer.
        case replayDiffers = "repeat answered differently"
        /// A user's accounts are not the result of their acts, one after the other.
        case walletDiffers = "wallet differs from the sequential model"
        /// A balance was answered that was never true in the time of the question.
        case readOutsideItsTime = "balance was not true at any moment of its request"
        /// A balance was answered that lacks acts acknowledged before the question.
        case ownActNotSeen = "acknowledged act not seen"
        /// The gateway has other payments or cancellations than the books.
        case gatewayDiffers = "gateway differs from the books"
        /// Debits are not credits.
        case trialBalance = "trial balance is not zero"
        /// The run shows nothing, because too little was done.
        case tooLittleHappened = "too little happened"
        /// The doctor, a seal, or a service says that something is wrong.
        case unsound
    }

    package let rule: Rule
    /// The user; nil: it concerns no single user.
    package let user: String?
    package let detail: String
    /// The acts that show it, by their keys, as far as the rule names them.
    package let keys: [String]

    package init(_ rule: Rule, user: String? = nil, _ detail: String, keys: [String] = []) {
        self.rule = rule
        self.user = user
        self.detail = detail
        self.keys = keys
    }

    package var description: String { "\(rule.rawValue)\(user.map { " (\($0))" } ?? ""): \(detail)" }
}
