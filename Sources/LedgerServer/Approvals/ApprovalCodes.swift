package import LedgerWire

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
    /// A proposal about the same object is open, and the person did not say that they have seen it.
    package static let proposalOpen = ProblemCode(
        "proposal_open", 409, "Something is proposed about this already: look at it first.")
    /// A person withdraws a proposal of somebody else.
    static let notTheProposer = ProblemCode(
        "not_the_proposer", 403, "Only the person who proposed it can withdraw it.")
    /// The gateway does not confirm a payment that a person credits to a customer.
    static let paymentUnconfirmed = ProblemCode(
        "payment_unconfirmed", 409, "The gateway does not confirm the payment now, and nothing was done.",
        isRetryable: true)
    /// A payment that a person credits to a customer waits for a rate.
    static let priceNotBookable = ProblemCode(
        "price_not_bookable", 409, "The payment waits for a rate of its currency: nothing was done.",
        isRetryable: true)
}
