extension Corruption {
    static let vat = [
        Corruption("vat_payable_differs", "UPDATE lot SET vat = 'exempt' WHERE vat = 'at_use'"),
        Corruption("vat_payable_differs", "UPDATE lot SET taxed_breakage = 0 WHERE taxed_breakage > 0"),
        Corruption("vat_payable_differs", "UPDATE debt_bank_payment SET vat = vat - 1 WHERE vat > 0"),
        Corruption("vat_deferred_differs", "UPDATE lot SET vat = 'exempt' WHERE vat = 'at_sale'"),
        Corruption("vat_input_differs", "UPDATE settlement_row SET input_vat = 0"),
        Corruption(
            "vat_misfits_entry",
            "UPDATE lot_movement SET taxed = taxed - 110 WHERE lot_id = \(taxedLot) AND seq = 1"),
        Corruption(
            "vat_misfits_entry",
            """
            UPDATE posting SET amount = amount + 1
            FROM account WHERE account.id = account_id AND account.code LIKE 'tax:vat-deferred/%'
            """),
        Corruption(
            "lot_supply_exceeds_payment", "UPDATE lot SET taxed = amount - deferred - breakage + 1 WHERE vat = 'at_use'"
        ),
        // Fewer than were recognised, and more went back than the books say.
        Corruption("lot_supply_exceeds_payment", "UPDATE lot SET taxed = taxed - 1 WHERE vat = 'exempt'"),
        Corruption(
            "vat_payable_differs",
            """
            UPDATE purchase SET amount = purchase.amount + 1100 FROM lot
            WHERE lot.purchase_id = purchase.id AND lot.vat = 'at_use' AND lot.taxed > 0
            """),
        Corruption("lot_taxed_differs", "UPDATE lot SET taxed = taxed + 1 WHERE vat = 'exempt'"),
        Corruption(
            "lot_supply_misfits_entry",
            "UPDATE lot_movement SET taxed = taxed + 1 WHERE lot_id = \(taxedLot) AND seq = 1"),
        Corruption("vat_payable_differs", "UPDATE refund SET fee_vat = NULL WHERE fee_vat > 0"),
        Corruption("vat_misfits_entry", "UPDATE refund SET fee_vat = 0 WHERE fee_vat > 0"),
        Corruption("refund_fee_vat_differs", "UPDATE refund SET fee_vat = 0 WHERE fee_vat > 0"),
        Corruption("bank_refund_differs_from_entries", "UPDATE refund SET fee_vat = NULL WHERE fee_vat > 0"),
        Corruption("breakage_differs", "UPDATE lot SET taxed_breakage = 0 WHERE taxed_breakage > 0"),
        Corruption(
            "taxed_breakage_differs", "UPDATE lot SET taxed_breakage = taxed_breakage - 1 WHERE taxed_breakage > 0"),
        Corruption(
            "taxed_breakage_differs",
            "UPDATE lot_movement SET taxed_breakage = taxed_breakage - 1 WHERE taxed_breakage > 0"),
        Corruption(
            "taxed_breakage_differs",
            """
            UPDATE journal_entry SET kind = 'spend'
            WHERE id IN (SELECT journal_entry_id FROM lot_movement WHERE taxed_breakage > 0)
            """),
        Corruption("commission_vat_differs", "UPDATE provider_share SET vat = vat + 1 WHERE vat > 0"),
    ]

    /// A lot with VAT.
    private static let taxedLot = "(SELECT min(id) FROM lot WHERE vat = 'at_use' AND seq > 0)"
}
