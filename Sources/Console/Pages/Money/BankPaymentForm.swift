import CivilTime
import Foundation
import Ledger
import LedgerServer

/// The fields of a payment through our bank, which finance writes down: the day and the bank's reference.
enum BankPaymentForm {
    /// When the bank paid.
    static let paid = [ConsoleField.day("paid_at", "paidOn"), reference]
    /// When the money came to our bank.
    static let received = [ConsoleField.day("paid_at", "receivedOn"), reference]

    private static let reference = ConsoleField.text("bank_reference", "bankReference")

    /// The ids of the fields.
    ///
    /// - Parameter id: their beginning.
    static func ids(_ id: String) -> [String: String] {
        ["paid_at": "\(id)-paid-at", "bank_reference": "\(id)-reference"]
    }

    static let texts: [ConsoleText] = [
        .init("paidOn", "Day of the bank's payment", "은행 이체일"),
        .init("receivedOn", "Day on which the money reached our bank", "입금일"),
        .init("bankReference", "Bank's reference (no account number)", "은행 거래 참조(계좌번호 제외)"),
    ]
}

extension Visit {
    /// The payment of the form's ``BankPaymentForm``.
    ///
    /// - Throws: `missing_member`; `invalid_request` for what is no day, or in the future.
    func bankPayment() throws -> BankPayment {
        let day = try form.text("paid_at", most: 40)
        guard let paidAt = CalendarMoment.date(day, in: timeZone) else {
            throw InputFault("paid_at", "must be \(CalendarMoment.rule)")
        }
        return try BankPayment(paidAt: paidAt, reference: try form.text("bank_reference"))
    }

    /// The key of the act of a form: one that is sent twice is one act.
    func actKey() throws(Problem) -> CallerKey {
        guard let key = CallerKey("console-\(try form.once())", of: person.caller) else {
            throw .invalid(member: "once", "the form is not the console's own")
        }
        return key
    }

    /// A moment as text; empty: none.
    func show(_ date: Date?) -> String { date.map { Show.time($0, in: timeZone, language) } ?? "" }
}
