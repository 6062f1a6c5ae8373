import Hummingbird
import SandboxSupport

/// A refusal with the status, code and Korean message of the real API (PortOne V1 contract, known failures).
struct V1Refusal: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let code: Int
    let message: String

    init(_ status: Int, _ code: Int, _ message: String) {
        self.status = HTTPResponse.Status(code: status)
        self.code = code
        self.message = message
    }

    static let missingCredentials = V1Refusal(400, -1, "imp_key, imp_secret 파라메터가 누락되었습니다.")
    static let wrongCredentials = V1Refusal(401, -1, "인증에 실패하였습니다. API키와 secret을 확인하세요.")
    static let unauthorized = V1Refusal(401, -1, "Unauthorized")
    static let unknownPayment = V1Refusal(404, -1, "존재하지 않는 결제정보입니다.")
    static let unknownStatus = V1Refusal(400, -1, "지원되지 않는 상태값입니다.")
    static let unknownPrepared = V1Refusal(404, -1, "사전등록된 결제정보가 존재하지 않습니다.")
    static let nothingToCancel = V1Refusal(200, 1, "취소할 결제건이 존재하지 않습니다.")
    static let alreadyCancelled = V1Refusal(200, 1, "이미 전액취소된 주문입니다.")
    // The contract has no text for the following refusals, so clients must not depend on them.
    static let checksumMismatch = V1Refusal(200, 1, "취소 가능 잔액이 checksum과 일치하지 않습니다.")
    static let amountOverBalance = V1Refusal(200, 1, "취소 가능 잔액을 초과한 금액입니다.")
    static let refundAccountMissing = V1Refusal(200, -1, "환불계좌 정보(refund_holder, refund_bank, refund_account)가 필요합니다.")
    static let taxFreeMissing = V1Refusal(200, -1, "면세 결제의 취소에는 면세금액(tax_free)이 필요합니다.")
    static let taxFreeOverBalance = V1Refusal(200, 1, "취소 가능한 면세금액을 초과하였습니다.")
    static let taxedOverBalance = V1Refusal(200, 1, "취소 가능한 과세금액을 초과하였습니다.")
    static let notWaiting = V1Refusal(400, -1, "입금대기 상태의 가상계좌 결제건이 아닙니다.")
    static let alreadyPrepared = V1Refusal(200, 1, "이미 등록된 merchant_uid입니다.")
    static let unknownCard = V1Refusal(200, 1, "등록되지 않은 구매자입니다.")
    static let refusedCharge = V1Refusal(200, 1, "이미 결제가 이루어졌거나 결제할 수 없는 merchant_uid입니다.")
    static let refusedByPG = V1Refusal(200, -1, "PG사 응답 오류입니다.")

    static func badParameter(_ name: String) -> V1Refusal {
        V1Refusal(400, -1, "\(name) 파라메터가 올바르지 않습니다.")
    }
}

/// The envelope of every response (PortOne V1 contract, envelope).
enum V1Envelope {
    static func success(_ response: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        answer(status, code: 0, message: nil, response)
    }

    static func refusal(_ refusal: V1Refusal) -> Response {
        answer(refusal.status, code: refusal.code, message: refusal.message, .null)
    }

    private static func answer(
        _ status: HTTPResponse.Status, code: Int, message: String?, _ response: JSONValue
    ) -> Response {
        let body = JSONValue.object(["code": .int(code), "message": .text(message), "response": response])
        return Response(
            status: status, headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body.wireText)))
    }
}

extension V1Refusal: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response {
        V1Envelope.refusal(self)
    }
}
