/// Whether coins are sold for taxable supplies, and when their VAT arises.
///
/// A lot keeps the rule that its product had at the sale. `docs/vat.md` names the provisions of the VAT Act.
package enum VATRule: String, Sendable, CaseIterable {
    /// The coins pay for exempt supplies: no VAT.
    case exempt
    /// VAT arises when the coins are used: the coins can pay for several things.
    case atUse = "at_use"
    /// VAT arises when the coins are sold: it is known what they pay for.
    case atSale = "at_sale"

    /// The VAT contained in won: 10/110 of them, rounded towards zero.
    static func vat(of won: Int64) -> Int64 { won / divisor }

    /// The won of which one is VAT: 110/10.
    static let divisor: Int64 = 11
}

/// Output VAT, in won.
struct OutputVAT: Sendable, Equatable {
    /// What is owed to the tax office.
    let payable: Int64
    /// The part of it that was paid ahead for won that are not recognised yet.
    let deferred: Int64
    /// The part of it that breakage contains.
    let breakage: Int64

    init(payable: Int64 = 0, deferred: Int64 = 0, breakage: Int64 = 0) {
        self.payable = payable
        self.deferred = deferred
        self.breakage = breakage
    }

    /// The output VAT of coins that are sold for an amount and not used yet.
    init(atSaleOf amount: Int64, by rule: VATRule?) {
        let vat = rule == .atSale ? VATRule.vat(of: amount) : 0
        self.init(payable: vat, deferred: vat)
    }

    /// The part of it that was recognised with revenue other than breakage, which is less by it.
    var recognised: Int64 { payable - deferred - breakage }

    static func + (left: OutputVAT, right: OutputVAT) -> OutputVAT {
        OutputVAT(
            payable: left.payable + right.payable, deferred: left.deferred + right.deferred,
            breakage: left.breakage + right.breakage)
    }

    static func - (left: OutputVAT, right: OutputVAT) -> OutputVAT { left + -right }

    static prefix func - (vat: OutputVAT) -> OutputVAT {
        OutputVAT(payable: -vat.payable, deferred: -vat.deferred, breakage: -vat.breakage)
    }
}

extension Lot {
    /// The output VAT of the lot so far.
    ///
    /// It depends only on the lot's present state, so the VAT of an act is the difference that the act makes, and the
    /// parts of a lot add up to the VAT of its whole price. Breakage has what is missing to the VAT of used coins.
    ///
    /// Only what all parts add up to can't be below zero: won that went back before they were recognised have no VAT
    /// when their coins expire later.
    var outputVAT: OutputVAT {
        let ofUsed = VATRule.vat(of: max(0, taxed))
        let recognised = VATRule.vat(of: max(0, taxed + suppliedBreakage))
        switch vat {
        case nil, .exempt: return OutputVAT()
        case .atUse: return OutputVAT(payable: recognised, breakage: recognised - ofUsed)
        case .atSale:
            let payable = VATRule.vat(of: max(0, taxed + deferred + suppliedBreakage))
            return OutputVAT(payable: payable, deferred: payable - recognised, breakage: recognised - ofUsed)
        }
    }

    /// Notes that won were recognised for a supply, or with a negative sign that they were no longer.
    mutating func recognise(_ won: Int64) {
        if vat != nil { taxed += won }
    }

    /// Notes that won went back to the buyer that are neither deferred nor breakage.
    ///
    /// They can be more than what was recognised: an agent's capture recognises only the commission, and the won of held
    /// coins are recognised when the coins are used or expire. So ``taxed`` can fall below zero, and there is no VAT until
    /// as much was recognised again.
    mutating func takeBackRecognised(_ won: Int64) { recognise(-won) }
}

extension VATRule {
    /// The movements of the lots with a rule (`lot`, `moved`), each with what the lot had recognised before it (`before`).
    static let movements = """
        FROM lot
        JOIN lot_movement AS moved ON moved.lot_id = lot.id
        LEFT JOIN lot_movement AS earlier ON earlier.lot_id = moved.lot_id AND earlier.seq = moved.seq - 1
        CROSS JOIN LATERAL (
            SELECT coalesce(earlier.taxed, lot.began_taxed) AS taxed, coalesce(earlier.deferred, lot.amount) AS deferred,
                coalesce(earlier.taxed_breakage, 0) AS taxed_breakage
        ) AS before
        WHERE lot.vat IS NOT NULL
        """
}
