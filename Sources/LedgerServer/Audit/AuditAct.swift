/// What people do at the console or at a terminal, as the audit names it.
///
/// The names are stored, so they never change. The filter of the audit and the API's document list them in this order.
package enum AuditAct: String, CaseIterable, Sendable {
    // Visits
    case signIn = "sign-in"
    case signOut = "sign-out"
    case signOutEverywhere = "sign-out-everywhere"

    // Customers
    case lookUp = "look-up"
    case note
    case refund
    case grant
    case voidGrant = "void-grant"
    case writeOff = "write-off"
    case voidHold = "void-hold"
    case reverse
    case takeBack = "take-back"
    case mergeUser = "merge-user"
    case pauseTopUp = "pause-top-up"
    case resumeTopUp = "resume-top-up"
    case revokeTopUp = "revoke-top-up"
    case overruleRefundQuestion = "overrule-refund-question"
    case askToForget = "ask-to-forget"
    case cancelForgetting = "cancel-forgetting"

    // Campaigns
    case approveCampaign = "approve-campaign"
    case pauseCampaign = "pause-campaign"
    case resumeCampaign = "resume-campaign"
    case voidCampaign = "void-campaign"

    // Approvals
    case approve
    case decline
    case withdrawProposal = "withdraw-proposal"

    // Findings
    case assignFinding = "assign-finding"
    case noteFinding = "note-finding"
    case resolveFinding = "resolve-finding"
    case claimFinding = "claim-finding"
    case refundFinding = "refund-finding"

    // Books
    case reconcile
    case assignDifference = "assign-difference"
    case noteDifference = "note-difference"
    case settle
    case dismissLine = "dismiss-line"
    case checkDismissal = "check-dismissal"
    case matchLines = "match-lines"
    case proposeClosing = "propose-closing"
    case withdrawClosing = "withdraw-closing"
    case closeBooks = "close-books"
    case sealBooks = "seal-books"

    // Money
    case payTransfer = "pay-transfer"
    case reverseTransfer = "reverse-transfer"
    case repayTransfer = "repay-transfer"
    case proposePayout = "propose-payout"
    case approvePayout = "approve-payout"
    case withdrawPayout = "withdraw-payout"
    case payPayout = "pay-payout"
    case repayClaim = "repay-claim"
    case setTerms = "set-terms"
    case proposeAccount = "propose-account"
    case approveAccount = "approve-account"
    case withdrawAccount = "withdraw-account"
    case eraseAccounts = "erase-accounts"
    case takeBankFile = "take-bank-file"
    case decideDispute = "decide-dispute"

    // Adjustments
    case setPolicy = "set-policy"
    case bookAdjustment = "book-adjustment"
    case bookRevaluation = "book-revaluation"

    // Products
    case addProduct = "add-product"
    case changeProduct = "change-product"
    case retireProduct = "retire-product"
    case withdrawProduct = "withdraw-product"
    case setPrice = "set-price"
    case endPrice = "end-price"
    case withdrawPrice = "withdraw-price"

    // Endpoints
    case addEndpoint = "add-endpoint"
    case changeEndpoint = "change-endpoint"
    case enableEndpoint = "enable-endpoint"
    case disableEndpoint = "disable-endpoint"
    case rotateEndpointSecret = "rotate-endpoint-secret"
    case testEndpoint = "test-endpoint"
    case replayEvents = "replay-events"
    case deleteEndpoint = "delete-endpoint"
}
