/// The language of the headings of a CSV or an Excel file.
///
/// The columns' own names are English. Programs read those, so they are what a file has unless it is asked for otherwise.
package enum HeadingLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case korean = "ko"
}

extension Report {
    /// What stands above a column of the report.
    ///
    /// Totals use the same words.
    func heading(of column: String, in language: HeadingLanguage) -> String {
        switch language {
        case .english: column
        case .korean: Self.koreanHeading(of: column, in: self) ?? column
        }
    }

    /// The Korean word for a column; nil: it has none.
    static func koreanHeading(of column: String, in report: Report) -> String? {
        report.korean[column] ?? korean[column]
    }

    /// In all reports but those that say otherwise (``Report/korean``).
    private static let korean: [String: String] = [
        "account": "계정과목", "account_code": "계정코드", "account_name": "계정과목", "accounts": "계정 수", "accrual": "미지급 수수료",
        "acquired_at": "적립 시각", "act": "행위", "acted_at": "처리 시각", "adjustment": "수정분개 번호", "allocated": "배분액",
        "amount": "금액", "approval": "승인 요청 번호", "balance": "잔액", "bank_reference": "은행 거래 참조", "bonus": "보너스 코인",
        "bonus_coins": "보너스 코인", "cancelled_amount": "PG사 취소 금액", "carried": "원화 장부금액",
        "change": "증감", "coins": "코인", "credit": "대변",
        "credit_account": "대변 계정", "credit_balance": "대변 잔액", "credit_opening": "대변 이월", "credit_total": "대변 합계",
        "credited_amount": "적립된 결제 금액", "credited_at": "기록 시각", "credited_currency": "장부 통화", "currency": "통화",
        "day": "일",
        "debit": "차변", "debit_account": "차변 계정", "debit_balance": "차변 잔액", "debit_opening": "차변 이월",
        "debit_total": "차변 합계", "deferred": "선수금", "detail": "상세", "effective_at": "발생 시각", "ended_at": "종료 시각",
        "entry": "분개 번호", "exempt_supply": "면세 공급가액", "expired": "만료 코인", "expired_per_mille": "만료율(‰)",
        "expired_won": "만료 금액(원)",
        "expires": "만료까지", "expires_at": "만료 시각", "fee": "수수료", "fees": "최근 90일 수수료", "file": "정산 파일",
        "foreign_amount": "외화 금액", "foreign_gross": "외화 거래 금액",
        "foreign_currency": "외화 통화", "foreign_refunded": "외화 환불 금액",
        "gain": "외환차손익", "gateway": "PG사", "gross": "거래 금액", "held": "보류 코인", "id": "번호", "imp_uid": "결제 ID(imp_uid)",
        "income_tax": "소득세", "input_vat": "매입세액", "issued": "발행 코인", "issued_won": "발행 금액(원)", "issuer": "지급한 사람",
        "item": "순번", "kind": "유형", "late_for": "원래 발생 시각", "line": "행", "local_tax": "지방소득세", "lot": "적립 건",
        "lots": "적립 건수", "merchant_uid": "주문번호(merchant_uid)", "method": "방법", "month": "월", "name": "이름",
        "net": "정산 금액", "open": "외화 잔액", "outcome": "결과", "origin": "선물 전 적립 건", "output_vat": "매출세액",
        "outstanding": "미사용",
        "outstanding_won": "미사용 금액(원)",
        "owner": "계정 주인", "paid": "유료 코인", "paid_amount": "PG사 결제 금액", "paid_at": "결제 시각", "paid_currency": "PG사 통화",
        "paid_out_on": "정산일", "paid_status": "PG사 상태", "partner": "거래처", "partner_code": "거래처코드", "payment": "결제",
        "payment_id": "결제 ID(payment_id)", "payments": "결제 수", "payout": "파트너 정산 번호", "per": "고시 단위",
        "percent": "수수료율(%)",
        "product": "상품", "provider": "파트너", "purchase": "구매 번호", "purchases": "구매 수", "rate": "환율",
        "rate_day": "환율 고시일",
        "rate_source": "환율 출처", "rate_version": "환율 차수", "reason": "사유",
        "recorded_at": "기록 시각", "reference": "참조", "refunded": "환불 코인", "refunded_amount": "환불 금액",
        "refunded_won": "환불 금액(원)", "remaining": "남은 코인", "revaluation": "외화 환산 번호",
        "reversal": "역분개 번호", "reverses": "취소한 분개", "role": "역할", "rule": "과세 방식",
        "run": "대사 번호", "seen": "처리 전 내용", "seq": "계정 내 순번", "settled": "정산액", "settled_at": "정산 시각",
        "side": "구분(3 차변·4 대변)", "sold": "판매", "sold_in": "판매 월", "status": "상태", "stripe": "분할 계정",
        "subject": "처리자 ID",
        "target": "대상", "tax": "부가세", "taxable_purchases": "과세 매입액", "taxable_supply": "과세 공급가액", "text": "적요",
        "transferred_amount": "계좌 이체 환불 금액", "unused": "미사용 코인", "used": "사용 코인", "used_won": "사용 금액(원)",
        "user": "고객", "users": "고객 수", "voucher": "번호", "worth": "평가액", "year": "년",
    ]

    /// What the sheet of totals has above its columns, and what it calls the number of rows.
    static func totalsHeadings(
        in language: HeadingLanguage
    ) -> (sheet: String, column: String, currency: String, total: String, rows: String) {
        switch language {
        case .english: ("totals", "column", "currency", "total", "rows")
        case .korean: ("합계", "열", "통화", "합계", "행 수")
        }
    }
}
