extension Doctor.Check {
    /// Settlement entries agree with the settled rows.
    static let settlements: [Doctor.Check] = [
        Doctor.Check(
            "settlement_misfits_entry",
            proves:
                "each settled row fits its purchase and has its part of the won, and its entry posts the row's amounts",
            sql: """
                SELECT 'settlement_row:' || settled.id AS subject,
                    'of ' || settled.payment || ', gross ' || settled.gross || ', fee and tax '
                        || settled.fee + settled.tax - settled.input_vat || ', net ' || settled.net
                        || '; entry ' || settled.journal_entry_id || ' posts ' || coalesce(-posted.receivable, 0) || ', '
                        || coalesce(posted.fees, 0) || ' and ' || coalesce(posted.bank, 0) AS detail
                FROM settlement_row AS settled
                LEFT JOIN journal_entry AS entry ON entry.id = settled.journal_entry_id
                LEFT JOIN purchase ON purchase.id = settled.purchase_id
                LEFT JOIN (
                    SELECT posting.journal_entry_id,
                        sum(gain) FILTER (WHERE \(isReceivable)) AS receivable,
                        sum(gain) FILTER (WHERE code LIKE '\(SystemAccount.gatewayFees.rawValue)/%') AS fees,
                        sum(gain) FILTER (WHERE code LIKE '\(SystemAccount.vatInput.rawValue)/%') AS input_vat,
                        sum(gain) FILTER (WHERE code LIKE '\(SystemAccount.bank.rawValue)/%') AS bank,
                        -sum(gain) FILTER (WHERE code LIKE 'fx:gain:%') AS gained,
                        sum(gain) FILTER (WHERE code LIKE 'fx:loss:%') AS lost,
                        string_agg(DISTINCT split_part(split_part(code, '/', 1), ':', 3), ' ')
                            FILTER (WHERE code LIKE 'fx:gain:%' OR code LIKE 'fx:loss:%') AS exchanged
                    FROM (
                        SELECT posting.journal_entry_id, account.code,
                            CASE posting.side WHEN 'D' THEN posting.amount ELSE -posting.amount END AS gain
                        FROM posting
                        JOIN account ON account.id = posting.account_id AND account.owner IS NULL
                    ) AS posting
                    GROUP BY posting.journal_entry_id
                ) AS posted ON posted.journal_entry_id = settled.journal_entry_id
                WHERE settled.status = 'settled'
                    AND (entry.id IS NULL OR entry.kind <> 'settlement'
                        OR entry.reference <> 'purchase:' || settled.purchase_id
                        OR settled.payment NOT IN (
                            purchase.imp_uid, purchase.merchant_uid, coalesce(purchase.payment_id, purchase.imp_uid))
                        OR coalesce(settled.carried, settled.gross) <> coalesce(-posted.receivable, 0)
                        OR abs(settled.carried::numeric * purchase.foreign_amount
                            - purchase.amount::numeric * settled.foreign_gross) >= purchase.foreign_amount
                        OR greatest(settled.gross - settled.carried, 0) <> coalesce(posted.gained, 0)
                        OR greatest(settled.carried - settled.gross, 0) <> coalesce(posted.lost, 0)
                        OR posted.exchanged IS NOT NULL AND posted.exchanged IS DISTINCT FROM settled.foreign_currency
                        OR settled.fee + settled.tax - settled.input_vat <> coalesce(posted.fees, 0)
                        OR settled.input_vat <> coalesce(posted.input_vat, 0)
                        OR settled.input_vat NOT IN (0, settled.tax)
                        OR settled.net <> coalesce(posted.bank, 0))
                """),
        Doctor.Check(
            "purchase_settled_differs", proves: "each purchase's settled amounts are the sums of its settled rows",
            sql: """
                SELECT 'purchase:' || coalesce(purchase.id, settled.purchase_id) AS subject,
                    CASE WHEN purchase.id IS NULL THEN 'is settled but does not exist'
                        ELSE 'settled ' || purchase.settled_amount || ', rows have ' || coalesce(settled.won, 0) END
                    AS detail
                FROM purchase
                FULL JOIN (
                    SELECT purchase_id, sum(coalesce(carried, gross)) AS won, sum(foreign_gross) AS paid
                    FROM settlement_row WHERE status = 'settled'
                    GROUP BY purchase_id
                ) AS settled ON settled.purchase_id = purchase.id
                WHERE purchase.id IS NULL OR purchase.settled_amount <> coalesce(settled.won, 0)
                    OR coalesce(purchase.foreign_settled, 0) <> coalesce(settled.paid, 0)
                """),
        Doctor.Check(
            "settlement_dismissal_differs",
            proves: "a row is dismissed if it is unmatched and a person dismissed its payment, and only then",
            sql: """
                SELECT 'settlement_row:' || line.id AS subject,
                    'of ' || line.payment || ' is ' || line.status
                        || CASE WHEN dismissal.row_id IS NULL THEN ', and nobody dismissed it'
                            ELSE ', and ' || dismissal.dismissed_by || ' dismissed it' END
                        || CASE WHEN line.is_dismissed THEN '; it is marked as dismissed'
                            ELSE '; it is not marked as dismissed' END AS detail
                FROM settlement_row AS line
                LEFT JOIN settlement_dismissal AS dismissal
                    ON dismissal.row_id = line.id AND dismissal.payment = line.payment
                WHERE line.is_dismissed <> (line.status = 'unmatched' AND dismissal.row_id IS NOT NULL)
                """),
        Doctor.Check(
            "settlement_file_sum_differs",
            proves: "the sums that are kept of each settlement file are those of its rows",
            sql: """
                SELECT 'settlement_file:' || coalesce(file.id, kept.file_id) AS subject,
                    CASE WHEN file.id IS NULL THEN 'sums are kept of it, which are not to be'
                        ELSE 'kept ' || coalesce(kept.sums, 'nothing') || '; its rows have '
                            || coalesce(counted.sums, 'nothing') END AS detail
                FROM (SELECT id FROM settlement_file WHERE is_summed) AS file
                FULL JOIN (
                    SELECT file_id, concat_ws(', ', sum(waiting), sum(settled), sum(unmatched), sum(dismissed),
                        sum(refused), sum(gross), sum(fee), sum(tax), sum(net)) AS sums
                    FROM settlement_file_sum GROUP BY file_id
                ) AS kept ON kept.file_id = file.id
                LEFT JOIN (
                    SELECT file_id, concat_ws(', ', count(*) FILTER (WHERE status = 'waiting'),
                        count(*) FILTER (WHERE status = 'settled'),
                        count(*) FILTER (WHERE status = 'unmatched' AND NOT is_dismissed),
                        count(*) FILTER (WHERE is_dismissed), count(*) FILTER (WHERE status = 'refused'),
                        coalesce(sum(gross) FILTER (WHERE status = 'settled'), 0),
                        coalesce(sum(fee) FILTER (WHERE status = 'settled'), 0),
                        coalesce(sum(tax) FILTER (WHERE status = 'settled'), 0),
                        coalesce(sum(net) FILTER (WHERE status = 'settled'), 0)) AS sums
                    FROM settlement_row GROUP BY file_id
                ) AS counted ON counted.file_id = file.id
                WHERE file.id IS NULL OR kept.sums IS DISTINCT FROM counted.sums
                """),
        Doctor.Check(
            "entry_without_settlement", proves: "each settlement entry has its row",
            sql: """
                SELECT 'entry:' || entry.id AS subject, 'no settled row of ' || entry.reference || ' posted it' AS detail
                FROM journal_entry AS entry
                LEFT JOIN settlement_row AS settled ON settled.journal_entry_id = entry.id
                WHERE entry.kind = 'settlement' AND settled.id IS NULL
                """),
    ]
}
