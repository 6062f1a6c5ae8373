/// The currencies of ISO 4217 with their decimals.
///
/// List one as SIX, the maintenance agency, publishes it, with its amendments up to number 180: as of 1 January 2026.
/// These are all codes for which the list says a minor unit, also funds such as `CLF`; not metals, bond units, units of
/// account without decimals, `XTS` and `XXX`. `MGA` and `MRU` are divided into fifths by law, and have 2 decimals in the list.
///
/// Payments in a withdrawn code are still looked up. So a code that is withdrawn later stays here, and ``withdrawn`` has those
/// that PortOne V2's enum of currencies has beside list one.
enum ISO4217 {
    /// The number of decimals by code.
    static let decimals: [String: Int] = (table + withdrawn).reduce(into: [:]) { decimals, row in
        for code in row.codes.split(whereSeparator: \.isWhitespace) { decimals[String(code)] = row.decimals }
    }

    private static let table: [(decimals: Int, codes: String)] = [
        (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
        (
            2,
            """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
            CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
            HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK
            MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
            RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
            USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG
            """
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
    ]

    /// Codes of list three, which has no decimals: these are those of list one until the code was withdrawn, in ANG 2025-03,
    /// BGN 2026-01, CUC 2021-06, HRK 2023-01, SLL 2023-12, ZWL 2024-09.
    private static let withdrawn = [(decimals: 2, codes: "ANG BGN CUC HRK SLL ZWL")]
}
