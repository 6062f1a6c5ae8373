import LedgerWire

/// Refusals in Korean.
///
/// In English a refusal is the API's title and detail. Codes of a page's own acts are in the texts of that page.
enum ProblemTexts {
    static let all: [ConsoleText] =
        korean.map { code, korean in
            ConsoleText("problem_\(code.rawValue)", code.title, korean)
        } + people

    /// The codes whose detail names what to correct, in English as the API has it.
    static let codesToCorrect: Set<ProblemCode> = [
        .invalidRequest, .missingMember, .wrongType, .unknownMember, .repeatedMember, .grantLimitExceeded,
        .insufficientCoins, .exceedsGrant, .exceedsDebt, .exceedsHold, .exceedsRedemption, .exceedsRefundable,
        .exceedsClaim, .noPlaceForCoins, .paymentDateImplausible, .bodyTooLarge,
    ]

    private static let korean: KeyValuePairs<ProblemCode, String> = [
        .notFound: "찾을 수 없습니다. 번호를 확인하세요.",
        .methodNotAllowed: "이 주소에서는 할 수 없는 요청입니다.",
        .unsupportedMediaType: "보낼 수 없는 형식입니다.",
        .bodyTooLarge: "내용이 너무 큽니다.",
        .malformedJSON: "내용을 읽을 수 없습니다.",
        .unknownMember: "알 수 없는 항목이 있습니다.",
        .repeatedMember: "같은 항목이 두 번 있습니다.",
        .missingMember: "필수 항목을 입력하세요.",
        .wrongType: "항목의 형식이 올바르지 않습니다.",
        .requestTimeout: "요청이 제시간에 도착하지 않았습니다. 다시 시도하세요.",
        .invalidRequest: "입력한 값이 올바르지 않습니다.",
        .tokenMissing: "로그인이 필요합니다.",
        .tokenInvalid: "로그인이 올바르지 않습니다. 다시 로그인하세요.",
        .tokenExpired: "로그인이 만료되었습니다. 다시 로그인하세요.",
        .forbidden: "현재 역할로는 할 수 없습니다.",
        .grantLimitExceeded: "지급 한도를 넘습니다.",
        .forbiddenSource: "이 주소에서 보낸 웹훅은 받지 않습니다.",
        .signatureInvalid: "웹훅의 서명이 올바르지 않습니다.",
        .paymentNotFound: "PG사에 없는 결제입니다. 번호를 확인하세요.",
        .paymentFailed: "실패한 결제입니다. 결제 금액이 청구되지 않았습니다.",
        .paymentCancelled: "취소된 결제입니다.",
        .paymentPartiallyCancelled: "부분 취소된 결제이므로 적립하지 않습니다.",
        .merchantUIDMismatch: "다른 주문 번호(merchant_uid)의 결제입니다.",
        .amountMismatch: "결제 금액이 상품 가격과 다릅니다.",
        .currencyMismatch: "결제 통화가 상품 통화와 다릅니다.",
        .testPayment: "PG사의 테스트 채널로 한 결제입니다.",
        .orderNotFound: "주문이 없는 결제입니다.",
        .orderBelongsToAnotherUser: "다른 고객의 주문입니다.",
        .orderAlreadyCredited: "같은 주문의 다른 결제를 이미 적립했습니다. 이 결제는 환불 대상입니다.",
        .orderExpired: "주문이 만료된 뒤에 결제되었습니다.",
        .gatewayOff: "사용하지 않는 PG사입니다.",
        .productNotFound: "판매 중인 상품이 아닙니다.",
        .orderRefusedByGateway: "PG사가 주문을 거절했습니다.",
        .receiptBelongsToAnotherUser: "다른 고객의 결제입니다.",
        .claimedBySeveral: "여러 고객이 제출한 결제입니다. 담당자가 누구에게 적립할지 결정해야 합니다.",
        .merchantUIDAlreadyCredited: "같은 주문 번호(merchant_uid)의 다른 결제를 이미 적립했습니다. 이 결제는 환불 대상입니다.",
        .idempotencyKeyMissing: "Idempotency-Key 헤더가 필요합니다.",
        .idempotencyKeyReused: "이 양식은 다른 내용으로 이미 전송했습니다. 페이지를 다시 여세요.",
        .insufficientCoins: "코인이 부족합니다.",
        .alreadyExpired: "이미 지난 만료일입니다.",
        .holdClosed: "이미 종료된 보류입니다.",
        .holdExpired: "만료된 보류입니다. 남은 코인은 지갑으로 돌아갑니다.",
        .exceedsHold: "보류한 코인보다 많습니다.",
        .alreadyReversed: "이미 모두 돌려주었습니다.",
        .exceedsRedemption: "사용한 코인보다 많습니다.",
        .tooManyLots: "적립 건이 너무 많아 한 번에 처리할 수 없습니다. 나누어 처리하세요.",
        .disputeDecided: "이미 결정된 분쟁입니다.",
        .disputeNotReversible: "분쟁으로 회수한 것을 그대로 되돌릴 수 없습니다. 직접 돌려주세요.",
        .noPlaceForCoins: "승소한 분쟁으로 코인이 이미 돌아와 있어 더 돌려놓을 수 없습니다. 이 구매의 코인이 다시 쓰인 뒤에 하세요.",
        .nothingToRefund: "이 구매에는 환불할 코인이 없습니다.",
        .refundNotApproved: "승인된 계좌 이체 환불이 아닙니다.",
        .refundNotPaid: "계좌로 이체한 환불이 아니거나 이미 반환되었습니다.",
        .exceedsGrant: "이 지급에서 지갑에 남은 코인보다 많습니다.",
        .exceedsDebt: "미회수 코인보다 많습니다.",
        .exceedsRefundable: "환불할 수 있는 코인보다 많습니다.",
        .userInDebt: "미회수 코인이 있는 고객입니다. 환불하려면 먼저 갚아야 합니다.",
        .refundInProgress: "이 구매의 다른 환불이 진행 중입니다. 끝난 뒤 다시 시도하세요.",
        .refundRefused: "PG사가 환불을 거절했습니다. 코인은 지갑으로 돌아갔습니다.",
        .statementInvalid: "정산 파일을 읽을 수 없거나 기장할 수 없는 행이 있습니다.",
        .settlementLineStatusConflict: "정산 행의 상태가 바뀌었습니다.",
        .monthAdjusted: "이 달 또는 이후 달의 수정분개를 이미 기장했습니다.",
        .noAccountingPolicy: "이 달에 수정분개가 필요한 회계정책이 없습니다.",
        .policyChanged: "그사이 회계정책이 바뀌었습니다. 다시 시도하세요.",
        .nothingOwed: "파트너에게 지급할 금액이 없습니다.",
        .payoutStatusConflict: "파트너 정산의 상태가 바뀌었습니다.",
        .exceedsClaim: "파트너에 대한 채권보다 많습니다.",
        .approvalByProposer: "본인이 요청한 지급이나 계좌는 승인할 수 없습니다.",
        .paymentDateImplausible: "날짜가 미래이거나 너무 이릅니다.",
        .endpointsOff: "웹훅을 보내도록 설정되어 있지 않습니다.",
        .endpointURLRefused: "이 URL로는 웹훅을 보낼 수 없습니다.",
        .tooManyEndpoints: "엔드포인트가 너무 많습니다.",
        .tooManyReplays: "진행 중인 재전송이 너무 많습니다. 끝난 뒤 다시 시도하세요.",
        .tooManyWaitingReceipts: "이 고객의 결제 확인 대기 건이 너무 많습니다.",
        .tooManyRefusedReceipts: "이 고객이 PG사에 없는 결제를 너무 많이 제출했습니다.",
        .tooManyWaitingEvents: "처리할 웹훅이 너무 많습니다.",
        .tooManyAtOnce: "이 고객의 요청이 너무 많습니다. 잠시 후 다시 시도하세요.",
        .tooManyOrders: "이 고객의 결제하지 않은 주문이 너무 많습니다.",
        .tooManyExports: "진행 중인 내보내기가 너무 많습니다. 잠시 후 다시 시도하세요.",
        .gatewayUnavailable: "지금은 PG사에 연결할 수 없습니다. 다시 시도하세요.",
        .replicaUnavailable: "지금은 보고서용 데이터베이스를 사용할 수 없습니다. 다시 시도하세요.",
        .databaseUnavailable: "지금은 데이터베이스에 연결할 수 없습니다. 처리 여부를 알 수 없으니 같은 양식을 다시 보내세요.",
        .overloaded: "요청이 너무 많습니다. 잠시 후 다시 시도하세요.",
        .shuttingDown: "서비스를 다시 시작하고 있습니다. 잠시 후 다시 시도하세요.",
        .internal: "내부 오류입니다. 요청 번호와 함께 관리자에게 알려 주세요.",
    ]

    /// Codes of people's decisions, which the API does not have.
    private static let people: [ConsoleText] = [
        .init(
            "problem_second_person_needed", "Another person has to decide this.", "다른 담당자가 결정해야 합니다."),
        .init("problem_approval_decided", "The proposal is decided already.", "이미 처리된 승인 요청입니다."),
    ]
}
