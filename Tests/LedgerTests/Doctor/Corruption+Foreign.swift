/// What can be wrong with rates, and with money of foreign currencies.
extension Corruption {
    static let rates = [
        Corruption(
            "rate_version_lost",
            """
            INSERT INTO rate (currency, day, version, value, scale, per, source, set_by)
            VALUES ('USD', '2026-01-02', 2, 1387, 0, 1, 'x', 'kim')
            """),
        Corruption(
            "rate_without_second_person",
            """
            INSERT INTO rate (currency, day, version, value, scale, per, source, set_by)
            VALUES ('CHF', '2026-01-02', 1, 1387, 0, 1, 'x', 'kim')
            """),
        Corruption(
            "rate_without_second_person",
            """
            INSERT INTO rate (currency, day, version, value, scale, per, source, set_by, approved_by)
            VALUES ('CHF', '2026-01-02', 1, 1387, 0, 1, 'x', 'kim', 'lee')
            """),
    ]

    static let foreign = [
        Corruption(
            "foreign_payment_misfits_rate",
            "UPDATE purchase SET foreign_currency = 'CAD' WHERE foreign_currency = 'USD' AND foreign_refunded = 0"),
        Corruption(
            "foreign_payment_misfits_rate",
            "UPDATE purchase SET rate_id = rate_id + 1000 WHERE foreign_currency = 'USD' AND foreign_refunded = 0"),
        Corruption("foreign_payment_misfits_rate", "UPDATE rate SET value = value + 1000 WHERE currency = 'USD'"),
        Corruption(
            "foreign_payment_misfits_entry",
            "UPDATE purchase SET foreign_amount = 100 WHERE foreign_amount = 99 AND foreign_refunded = 0"),
        Corruption(
            "foreign_payment_misfits_entry",
            "UPDATE purchase SET gateway = 'google-play' WHERE foreign_currency IS NOT NULL"),
        Corruption(
            "foreign_payment_misfits_entry",
            "UPDATE purchase_reversal SET foreign_amount = foreign_amount + 1 WHERE foreign_amount > 0"),
        Corruption(
            "foreign_refunds_differ",
            "UPDATE purchase_reversal SET foreign_amount = foreign_amount + 1 WHERE foreign_amount > 0"),
        Corruption(
            "foreign_clearing_differs",
            "UPDATE account SET debits = debits + 5 WHERE code LIKE 'app-store:receivable:USD/%' AND debits > 0"),
        Corruption(
            "foreign_clearing_differs",
            "UPDATE account SET credits = credits + 5 WHERE code LIKE 'fx:clearing:USD:KRW/%' AND debits > 0"),
        Corruption(
            "foreign_refund_misfits_payment", "UPDATE refund SET foreign_currency = 'CAD' WHERE foreign_fee > 0"),
        Corruption(
            "foreign_refund_misfits_payment",
            "UPDATE refund SET foreign_amount = foreign_amount + 1 WHERE foreign_amount > 0"),
        Corruption("foreign_refund_misfits_payment", "UPDATE refund SET foreign_fee = 0 WHERE foreign_fee > 0"),
        Corruption("revaluation_differs", "UPDATE revaluation_basis SET carried = carried + 1"),
        Corruption("revaluation_differs", "UPDATE revaluation_basis SET worth = worth + 1"),
        Corruption("revaluation_differs", "UPDATE revaluation SET reversal_entry_id = journal_entry_id"),
        Corruption("revaluation_basis_differs", "UPDATE revaluation_basis SET open = open + 1"),
        Corruption("revaluation_basis_differs", "UPDATE revaluation_basis SET snapshot = '1:1:'"),
        Corruption(
            "revaluation_basis_differs",
            """
            UPDATE revaluation_basis
            SET carried = carried - 1, worth = worth - 1 WHERE id IN (SELECT basis_id FROM revaluation)
            """),
        Corruption(
            "revaluation_basis_differs",
            "UPDATE rate SET day = '2026-01-20' WHERE id IN (SELECT rate_id FROM revaluation_basis)"),
        Corruption("purchase_settled_differs", "UPDATE settlement_row SET foreign_gross = 51 WHERE foreign_gross = 50"),
        Corruption(
            "settlement_misfits_entry",
            "UPDATE settlement_row SET carried = carried + 1 WHERE foreign_gross = 50"),
        Corruption(
            "settlement_misfits_entry",
            """
            UPDATE purchase SET amount = amount + 100, settled_amount = amount + 100
                - div((amount + 100)::numeric * (foreign_amount - foreign_settled), foreign_amount)
            WHERE foreign_settled = 50
            """),
        Corruption(
            "settlement_misfits_entry",
            """
            UPDATE posting SET account_id = loss.id FROM account AS gain, account AS loss
            WHERE posting.account_id = gain.id AND gain.code LIKE 'fx:gain:USD/%'
                AND loss.code = replace(gain.code, 'fx:gain', 'fx:loss')
            """),
        Corruption("foreign_currency_without_rate", "INSERT INTO foreign_currency (code) VALUES ('EUR')"),
        Corruption("foreign_currency_without_rate", "DELETE FROM foreign_currency"),
    ]
}
