import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct StoreRefusalTests {
    @Test func `the apps' error codes are the contract's, with its statuses`() {
        let codes = ["E01", "E02", "E03", "E05", "E11", "E81", "E82", "E97", "E98", "E99"]
        #expect(StoreRefusal.allCases.map(\.rawValue) == codes)
        for refusal in StoreRefusal.allCases {
            let status = ["E98": 429, "E99": 500][refusal.rawValue] ?? 400
            #expect(refusal.status.code == status, "\(refusal)")
        }
    }

    @Test(arguments: Problem.Code.known + [.appKeyInvalid])
    func `each problem has one error code, and is our fault only when it is`(code: Problem.Code) {
        let refusal = StoreRefusal(Problem(code))
        if code.httpStatus.kind == .serverError { #expect(refusal == .ourFault) }
        // What no request of the apps can cause is nobody's fault but ours.
        let theirs: Set<Problem.Code> = [
            .notFound, .methodNotAllowed, .unsupportedMediaType, .bodyTooLarge, .malformedJSON, .unknownMember,
            .repeatedMember, .missingMember,
            .wrongType, .invalidRequest, .tokenMissing, .tokenInvalid, .tokenExpired, .forbidden, .appKeyInvalid,
            .orderNotFound, .orderBelongsToAnotherUser, .orderAlreadyCredited, .orderExpired,
            .paymentNotFound, .paymentFailed, .paymentCancelled, .paymentPartiallyCancelled, .merchantUIDMismatch,
            .amountMismatch, .currencyMismatch, .testPayment, .receiptBelongsToAnotherUser,
            .claimedBySeveral, .merchantUIDAlreadyCredited, .tooManyWaitingReceipts, .tooManyRefusedReceipts,
            .tooManyAtOnce,
        ]
        if code.httpStatus.kind == .clientError { #expect((refusal != .ourFault) == theirs.contains(code), "\(code)") }
    }

    @Test func `a token without a user and a bad token get different answers`() {
        #expect(StoreRefusal(.subjectInvalid) == .account)
        #expect(StoreRefusal(.tokenInvalid("the signature is invalid")) == .token)
        #expect(Problem.subjectInvalid.code == .tokenInvalid)
    }
}

@Suite(.timeLimit(.minutes(20))) struct AppKeysTests {
    @Test func `app keys are compared whole, and nobody is let in without one`() {
        let keys = AppKeys(["first", "second"])
        for key in ["first", "second"] { #expect(keys.contains(key)) }
        for key in ["", "firs", "first ", "First", "firstsecond", "third"] { #expect(!keys.contains(key)) }
        #expect(!AppKeys([]).contains(""))
    }
}
