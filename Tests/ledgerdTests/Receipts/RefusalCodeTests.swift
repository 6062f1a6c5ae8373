import LedgerWire
import PGVerifier
import Testing

@testable import ledgerd

/// What gateway and verdict say against a receipt is told under the same name.
struct RefusalCodeTests {
    @Test(arguments: RefusalReason.allCases)
    func everyReasonIsAProblemOfItsOwnName(_ reason: RefusalReason) {
        let code = Problem.Code(reason)
        #expect(code.rawValue == reason.rawValue)
        #expect(Problem.Code.known.contains(code))
        #expect(code.httpStatus.kind == .clientError && !code.isRetryable)
    }

    @Test(
        arguments: RefusalReason.allCases.map(CreditRefusal.payment) + [
            .gatewayOff, .claimedBySeveral, .merchantUIDAlreadyCredited, .accountFull,
        ])
    func aReceiptThatWaitedIsKeptUnderTheNameOfItsProblem(_ refusal: CreditRefusal) {
        #expect(refusal.name == Problem.Code(refusal).rawValue)
    }

    @Test func everyCodeStandsInTheTableOnce() {
        #expect(Set(Problem.Code.known.map(\.rawValue)).count == Problem.Code.known.count)
    }

    @Test(arguments: WaitReason.allCases)
    func everyWaitIsToldAndHasABackoff(_ reason: WaitReason) throws {
        let body = WaitingReceiptBody(reason)
        #expect(body.code == reason.rawValue && !body.detail.isEmpty && body.retryable)
        // A claim is decided within its grace; the gateway may take its time.
        #expect(reason.backoff.cap >= .seconds(reason == .claimPending ? 10 : 60))
    }
}
