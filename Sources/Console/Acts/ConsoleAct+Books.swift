import Ledger

extension ConsoleAct {
    static let ofBooks = [
        reconcile, assignDifference, noteDifference, settle, dismissLine, checkDismissal, matchLines, proposeClosing,
        withdrawClosing, closeBooks, sealBooks,
    ]

    static let reconcile = ConsoleAct(
        .reconcile, "reconciliations", right: .keepBooks, Words("reconciliation", "대사"),
        done: Words("The comparison has begun; load the page again to see it.", "대사를 시작했습니다. 새로고침하여 확인하세요."),
        fields: [.own("from"), .own("to"), .own("last"), .own("heal")])
    static let assignDifference = ConsoleAct(
        .assignDifference, "reconciliations/{id}/items/{line}/take", "reconciliations/{id}/items/{line}/leave",
        right: .keepBooks, Words("difference: person in charge", "차이 담당자"),
        done: Words("It is recorded who works on it.", "담당자를 기록했습니다."))
    static let noteDifference = ConsoleAct(
        .noteDifference, "reconciliations/{id}/items/{line}/note", right: .keepBooks,
        Words("difference: note", "차이 메모"), done: Words("The note is kept.", "메모를 저장했습니다."), fields: [.reason])
    static let settle = ConsoleAct(
        .settle, "settlements/book", right: .keepBooks, Words("settlement file", "정산 파일"),
        done: Words("The file is booked.", "파일을 기장했습니다."),
        fields: ["name", "content", "gateway", "paid_out_on", "skip_bad_rows"].map(ConsoleField.own)
            + ForeignPayout.Part.allCases.map { .own($0.rawValue) }
            + SettlementMapping.Field.allCases.map { .own($0.rawValue) })
    static let dismissLine = ConsoleAct(
        .dismissLine, "settlements/{id}/lines/{line}/dismiss", right: .keepBooks,
        Words("settlement line explained", "정산 행 설명"),
        done: Words(
            "The line is explained. Somebody else should look at it too.", "행을 설명했습니다. 다른 담당자의 확인이 필요합니다."),
        fields: [.own("kind"), .reason])
    static let checkDismissal = ConsoleAct(
        .checkDismissal, "settlements/{id}/lines/{line}/check", right: .keepBooks,
        Words("settlement line: second look", "정산 행 재확인"),
        done: Words("The explanation is confirmed.", "설명을 확인했습니다."))
    static let matchLines = ConsoleAct(
        .matchLines, "settlements/match", right: .keepBooks, Words("settlement lines matched", "정산 행 다시 찾기"),
        done: Words(
            "The lines whose payment is in the books are booked, or say why not.",
            "결제가 있는 행을 기장했습니다. 기장할 수 없는 행에는 이유가 표시됩니다."))
    static let proposeClosing = ConsoleAct(
        .proposeClosing, "closing", right: .keepBooks, Words("closing: proposal", "마감 요청"),
        done: Words(
            "The closing is proposed. Another person has to carry it out.", "마감 승인을 요청했습니다. 다른 담당자가 마감을 실행해야 합니다."),
        fields: [.own("month"), .text("confirm", "closingConfirm"), .reason])
    static let withdrawClosing = ConsoleAct(
        .withdrawClosing, "closing/{id}/withdraw", right: .keepBooks, Words("closing: withdrawal", "마감 요청 취소"),
        done: Words("The proposal is withdrawn. The books stay open.", "마감 요청을 취소했습니다. 장부는 마감되지 않았습니다."),
        fields: [.reason])
    static let closeBooks = ConsoleAct(
        .closeBooks, "closing/{id}/close", right: .approve, Words("books closed", "마감"),
        done: Words("The books are closed.", "장부를 마감했습니다."),
        fields: [.text("confirm", "closingConfirm"), .own("open_items")])
    static let sealBooks = ConsoleAct(
        .sealBooks, "closing/seal", right: .keepBooks, Words("books sealed", "봉인"),
        done: Words("The books are sealed.", "장부를 봉인했습니다."))
}

extension ConsoleAct {
    static let ofMoney = [
        payTransfer, reverseTransfer, repayTransfer, proposePayout, approvePayout, withdrawPayout, payPayout,
        repayClaim, setTerms, proposeAccount, approveAccount, withdrawAccount, eraseAccounts, takeBankFile,
        decideDispute,
    ]

    static let payTransfer = ConsoleAct(
        .payTransfer, "transfers/{id}/pay", right: .keepBooks, Words("transfer paid", "환불 이체 완료"),
        done: Words("The transfer is booked.", "이체를 기장했습니다."), fields: BankPaymentForm.paid)
    static let reverseTransfer = ConsoleAct(
        .reverseTransfer, "transfers/{id}/reverse", right: .keepBooks, Words("transfer reversed", "환불 이체 취소"),
        done: Words("The refund is reversed, and its coins are back.", "환불을 취소하고 코인을 되돌렸습니다."), fields: [.reason])
    static let repayTransfer = ConsoleAct(
        .repayTransfer, "transfers/{id}/repay", right: .keepBooks, Words("transfer repaid", "환불 이체 반환"),
        done: Words("The repayment is booked, and the coins of the refund are back.", "반환 입금을 기장하고 코인을 되돌렸습니다."),
        fields: BankPaymentForm.received)
    static let proposePayout = ConsoleAct(
        .proposePayout, "payouts", right: .keepBooks, Words("payout: proposal", "파트너 정산: 지급 요청"),
        done: Words("The payout is proposed.", "지급을 요청했습니다."),
        fields: [
            .day("cut_off", "payoutCutOffDay", isRequired: false), .list("providers", "payoutProviders"),
            .text("note", "payoutNote", isRequired: false),
        ])
    static let approvePayout = ConsoleAct(
        .approvePayout, "payouts/{id}/approve", right: .approve, Words("payout: approval", "파트너 정산: 승인"),
        done: Words("The payout is approved.", "지급을 승인했습니다."))
    static let withdrawPayout = ConsoleAct(
        .withdrawPayout, "payouts/{id}/withdraw", right: .keepBooks, Words("payout: withdrawal", "파트너 정산: 요청 취소"),
        done: Words("The payout is withdrawn.", "지급 요청을 취소했습니다."), fields: [.reason])
    static let payPayout = ConsoleAct(
        .payPayout, "payouts/{id}/pay", right: .keepBooks, Words("payout: paid", "파트너 정산: 지급 완료"),
        done: Words("The payout is booked.", "지급을 기장했습니다."), fields: BankPaymentForm.paid)
    static let repayClaim = ConsoleAct(
        .repayClaim, "providers/{provider}/repay", right: .keepBooks,
        Words("provider: claim paid back", "파트너 채권 상환"), done: Words("The repayment is booked.", "상환을 기장했습니다."),
        fields: [.own("amount")] + BankPaymentForm.received)
    static let setTerms = ConsoleAct(
        .setTerms, "providers", right: .keepBooks, Words("provider: terms", "파트너 정산 조건"),
        done: Words("The terms are set. They apply from now on.", "정산 조건을 정했습니다. 지금부터 적용됩니다."),
        fields: [
            .text("provider", "provider"), .text("product", "providerProduct", isRequired: false),
            .text("share", "providerShareField"), .own("role"), .own("withholding"),
        ])
    static let proposeAccount = ConsoleAct(
        .proposeAccount, "providers/{provider}/account", right: .keepBooks,
        Words("provider: account proposed", "파트너 계좌 승인 요청"),
        done: Words(
            "The account is proposed. Another person has to approve it with its number.",
            "계좌 승인을 요청했습니다. 다른 담당자가 계좌번호를 확인해 승인해야 합니다."),
        fields: [
            .text("bank", "accountBank"), .text("number", "accountNumber"), .text("holder", "accountHolder"),
        ])
    static let approveAccount = ConsoleAct(
        .approveAccount, "providers/{provider}/accounts/{id}/approve", right: .approve,
        Words("provider: account approved", "파트너 계좌 승인"),
        done: Words("The account is in force.", "계좌를 승인했습니다."), fields: [.text("number", "accountNumberAgain")])
    static let withdrawAccount = ConsoleAct(
        .withdrawAccount, "providers/{provider}/accounts/{id}/withdraw", right: .keepBooks,
        Words("provider: account proposal withdrawn", "파트너 계좌 요청 취소"),
        done: Words("The proposed account is withdrawn and erased.", "요청한 계좌를 취소하고 삭제했습니다."))
    static let eraseAccounts = ConsoleAct(
        .eraseAccounts, "providers/{provider}/account/erase", right: .keepBooks,
        Words("provider: accounts erased", "파트너 계좌 삭제"),
        done: Words("Nothing is kept of the provider's accounts.", "파트너의 계좌를 삭제했습니다."))
    static let takeBankFile = ConsoleAct(
        .takeBankFile, "payouts/{id}/bank-file", right: .keepBooks,
        Words("payout: file for the bank", "지급: 은행 이체 파일"), fields: [.own("layout"), .own("accounts")])
    static let decideDispute = ConsoleAct(
        .decideDispute, "disputes/{id}/decide", right: .keepBooks, Words("dispute: decision", "분쟁 결정"),
        done: Words("The decision is booked.", "결정을 기장했습니다."), fields: [.reason, .own("outcome")])
}

extension ConsoleAct {
    static let ofAdjustments = [setPolicy, bookAdjustment, bookRevaluation]

    static let setPolicy = ConsoleAct(
        .setPolicy, "adjustments/policies", right: .keepBooks, Words("accounting policy set", "회계정책 설정"),
        done: Words("The policy is set.", "회계정책을 설정했습니다."),
        fields: [
            .own("method"), .own("month"), .own("expected"), .own("highly_probable"), .own("bonus_price"), .reason,
        ])
    static let bookAdjustment = ConsoleAct(
        .bookAdjustment, "adjustments", right: .keepBooks, Words("month-end adjustment booked", "월말 수정분개 기장"),
        done: Words("The adjustment is booked.", "수정분개를 기장했습니다."),
        others: [
            "nothing": Words(
                "There was nothing to post. The month is adjusted.", "전기할 금액이 없어 분개 없이 수정을 마쳤습니다."),
            "changed": Words("The figures have changed. Check the new ones.", "금액이 바뀌었습니다. 새 금액을 확인하세요."),
        ],
        fields: [.own("subject"), .own("month"), .own("target")])
    static let bookRevaluation = ConsoleAct(
        .bookRevaluation, "revaluations", right: .keepBooks, Words("foreign currency revalued", "외화 환산분개 기장"),
        done: Words("The month is revalued.", "해당 월의 외화 환산을 마쳤습니다."), fields: [.own("currency"), .own("month")])
}
