import PGVerifier
import Synchronization

/// What a stand-in store was told.
final class Told: Sendable {
    private struct State {
        var error: GatewayError?
        var statements: [RefundStatement] = []
        var named: [RefundQuestionName] = []
    }
    private let state = Mutex(State())

    var statements: [RefundStatement] { state.withLock { $0.statements } }
    var named: [RefundQuestionName] { state.withLock { $0.named } }

    func fail(_ error: GatewayError?) { state.withLock { $0.error = error } }

    func take(_ statement: RefundStatement, _ name: RefundQuestionName) throws(GatewayError) {
        let error = state.withLock { state in
            state.statements.append(statement)
            state.named.append(name)
            return state.error
        }
        if let error { throw error }
    }
}

protocol Asking: AnswersRefundQuestions {
    var told: Told { get }
}

extension Asking {
    var statements: [RefundStatement] { told.statements }
    var named: [RefundQuestionName] { told.named }

    func fail(_ error: GatewayError?) { told.fail(error) }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw GatewayError(.notFound, message: "")
    }

    func answer(_ answer: RefundStatement, to question: RefundQuestionName) async throws(GatewayError) {
        try told.take(answer, question)
    }
}

/// An App Store that takes answers, or fails.
struct AskingStore: Asking {
    static let name = AppStore.name
    static let answersWithin = AppStore.answersWithin
    static let answersNeedConsent = AppStore.answersNeedConsent
    static let questions = AppStore.questions
    static let questionEnds = AppStore.questionEnds
    let told = Told()

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try AppStore.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }
}

/// A Google Play that takes answers, or fails.
struct AskingPlay: Asking {
    static let name = GooglePlay.name
    static let answersWithin = GooglePlay.answersWithin
    static let answersNeedConsent = GooglePlay.answersNeedConsent
    static let questions = GooglePlay.questions
    static let questionEnds = GooglePlay.questionEnds
    let told = Told()

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try GooglePlay.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }
}
