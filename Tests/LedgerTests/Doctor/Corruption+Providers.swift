extension Corruption {
    static let settlements = [
        Corruption("settlement_misfits_entry", "UPDATE settlement_row SET gross = gross + 1, fee = fee + 1"),
        Corruption("settlement_misfits_entry", "UPDATE settlement_row SET payment = 'imp_of_another'"),
        Corruption("purchase_settled_differs", "UPDATE purchase SET settled_amount = 1 WHERE user_id = 'ann'"),
        Corruption("entry_without_settlement", "DELETE FROM settlement_row"),
        Corruption("settlement_dismissal_differs", "UPDATE settlement_row SET is_dismissed = true"),
        Corruption("settlement_file_sum_differs", "UPDATE settlement_file_sum SET settled = settled + 1"),
        Corruption("settlement_file_sum_differs", "UPDATE settlement_file_sum SET net = net - 1, fee = fee + 1"),
        Corruption("settlement_file_sum_differs", "DELETE FROM settlement_file_sum"),
    ]

    static let providers = [
        Corruption("payable_unexplained", "UPDATE provider_share SET share = share + 1 WHERE payout_id IS NOT NULL"),
        Corruption("payable_unexplained", "UPDATE payout_entry SET amount = amount - 1"),
        Corruption("share_misfits_capture", "UPDATE provider_share SET amount = amount + 5000"),
        Corruption("share_misfits_capture", "UPDATE provider_terms SET share = share - 1"),
        Corruption(
            "capture_without_share", "DELETE FROM provider_share WHERE journal_entry_id <> capture_id"),
        Corruption(
            "payout_misfits_shares",
            """
            UPDATE provider_share SET payout_id = NULL
            WHERE payout_id = (SELECT id FROM payout WHERE status = 'paid')
            """),
        Corruption("payout_misfits_shares", "UPDATE payout_item SET local_tax = local_tax + 10"),
        Corruption(
            "payout_misfits_shares",
            """
            UPDATE provider_share SET payout_id = (SELECT id FROM payout WHERE status = 'withdrawn')
            WHERE payout_id = (SELECT id FROM payout WHERE status = 'proposed')
            """),
        Corruption("payout_part_misfits_shares", "UPDATE payout_part SET amount = amount + 1"),
        Corruption("payout_part_misfits_shares", "DELETE FROM payout_part"),
        Corruption("payout_shares_miscounted", "UPDATE payout_item SET shares = shares + 1"),
        Corruption(
            "share_by_other_terms",
            """
            UPDATE provider_terms SET product = 'song'
            WHERE id = (SELECT max(terms_id) FROM provider_share WHERE journal_entry_id = capture_id)
            """),
        Corruption("share_of_another_provider", "UPDATE provider_share SET provider = 'quin' WHERE provider = 'pia'"),
        Corruption("provider_repayment_misfits", "UPDATE provider_repayment SET amount = amount + 1"),
        Corruption("provider_repayment_misfits", "DELETE FROM provider_repayment"),
        Corruption("payout_status_misfits", "UPDATE payout SET status = 'paid' WHERE status = 'approved'"),
        Corruption(
            "payout_status_misfits", "UPDATE payout_decision SET decided_by = 'shop' WHERE decision = 'approved'"),
        Corruption(
            "payout_status_misfits",
            "UPDATE payout_decision SET decided_by = 'console:terminal:Shop' WHERE decision = 'approved'"),
        Corruption("payout_entry_misfits", "DELETE FROM payout_entry"),
        Corruption(
            "payout_entry_misfits", "UPDATE provider_share SET stripe = stripe + 1 WHERE payout_id IS NOT NULL"),
    ]

    static let providerTerms = [
        Corruption(
            "share_misfits_role",
            "UPDATE provider_terms SET role = CASE role WHEN 'agent' THEN 'principal' ELSE 'agent' END"),
        Corruption(
            "share_differs_from_outcome",
            "UPDATE provider_share SET product = 'song' WHERE journal_entry_id = capture_id"),
        Corruption(
            "payout_tax_misfits_terms",
            "UPDATE provider_terms SET withholding = 'none' WHERE withholding = 'business_income'"),
        Corruption("payout_tax_misfits_terms", "UPDATE payout_item SET local_tax = local_tax + 10"),
        Corruption("payout_beyond_cut_off", "UPDATE payout SET cut_off = cut_off - interval '1 day'"),
        Corruption("payout_beyond_cut_off", "UPDATE payout SET providers = '{eve}' WHERE status <> 'withdrawn'"),
        Corruption("product_terms_misfit", "UPDATE provider_terms SET product = 'song' WHERE provider = 'quin'"),
    ]
}
