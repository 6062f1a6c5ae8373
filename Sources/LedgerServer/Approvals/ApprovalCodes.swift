import LedgerWire

extension ProblemCode {
    // People in the console see these codes, and clients of the API do not.

    /// A person decides about their own proposal.
    static let secondPersonNeeded = ProblemCode("second_person_needed", 403, "Another person has to decide this.")
    /// The proposal was decided before.
    static let approvalDecided = ProblemCode("approval_decided", 409, "The proposal is decided already.")
    /// What a proposal is about has changed since it was proposed.
    static let approvalOutdated = ProblemCode(
        "approval_outdated", 409,
        "What it is about has changed since it was proposed: nothing was done. Look at it, and propose it again.")
    /// A proposal of the same act on the same object is open.
    static let proposalOpen = ProblemCode(
        "proposal_open", 409, "The same is proposed already: it has to be decided and carried out first.")
    /// The gateway does not confirm a payment that a person credits to a customer.
    static let paymentUnconfirmed = ProblemCode(
        "payment_unconfirmed", 409, "The gateway does not confirm the payment now, and nothing was done.",
        isRetryable: true)
}
