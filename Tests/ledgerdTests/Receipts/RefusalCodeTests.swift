import LedgerWire
import PGVerifier
import Testing

@testable import LedgerServer

/// What gateway and verdict say against a receipt has the same code in the answer.
@Suite(.timeLimit(.minutes(20))) struct RefusalCodeTests {
    @Test(arguments: RefusalReason.allCases)
    func `every reason is a problem of its own name`(_ reason: RefusalReason) {
        let code = Problem.Code(reason)
        #expect(code.rawValue == reason.rawValue)
        #expect(Problem.Code.known.contains(code))
        #expect(code.httpStatus.kind == .clientError && !code.isRetryable)
    }

    @Test(
        arguments: RefusalReason.allCases.map(CreditRefusal.payment) + [
            .gatewayOff, .claimedBySeveral, .orderAlreadyCredited(by: nil), .merchantUIDAlreadyCredited(by: nil),
            .changedMeanwhile, .accountFull, .tooManyWaitingReceipts,
        ])
    func `a receipt that waited is kept under the name of its problem`(_ refusal: CreditRefusal) {
        #expect(refusal.name == Problem.Code(refusal).rawValue)
    }

    @Test func `every code stands in the table once`() {
        #expect(Set(Problem.Code.known.map(\.rawValue)).count == Problem.Code.known.count)
    }

    @Test(arguments: WaitReason.allCases)
    func `every wait is reported and has a backoff`(_ reason: WaitReason) throws {
        let body = WaitingReceiptBody(reason, isKept: true)
        let isDecided = reason == .worthOutOfRange
        #expect(body.code == reason.rawValue && body.retryable != isDecided)
        let notKept = WaitingReceiptBody(reason, isKept: false)
        #expect(notKept.code == body.code && notKept.retryable == body.retryable)
        #expect(notKept.detail.hasSuffix("; nothing is stored: try again later") != isDecided)
        #expect(!body.detail.contains("try again"))
        let staysOpen = isDecided || reason == .priceNotBookable
        for told in [body, notKept] { #expect(told.detail.contains("do not finish") == staysOpen) }
        // A claim is decided within its grace; the gateway may take its time.
        #expect(reason.backoff.cap >= .seconds(reason == .claimPending ? 10 : 60))
    }
}
