#include "CEmbedded.h"

// C23's #embed, which clang also has in earlier standards, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi[] = {
#embed "../../docs/openapi.json"
};

struct embedded_file embedded_openapi(void) {
    return (struct embedded_file){"openapi.json", openapi, sizeof openapi};
}

static const unsigned char schema[] = {
#embed "../../docs/schema.sql"
};

struct embedded_file embedded_schema(void) {
    return (struct embedded_file){"schema.sql", schema, sizeof schema};
}

static const unsigned char sql_0001[] = {
#embed "../../migrations/0001_ledger.sql"
};
static const unsigned char sql_0002[] = {
#embed "../../migrations/0002_coin_shop.sql"
};
static const unsigned char sql_0003[] = {
#embed "../../migrations/0003_receipt_retry.sql"
};
static const unsigned char sql_0004[] = {
#embed "../../migrations/0004_webhooks.sql"
};
static const unsigned char sql_0005[] = {
#embed "../../migrations/0005_wallet.sql"
};
static const unsigned char sql_0006[] = {
#embed "../../migrations/0006_orders.sql"
};
static const unsigned char sql_0007[] = {
#embed "../../migrations/0007_refunds.sql"
};
static const unsigned char sql_0008[] = {
#embed "../../migrations/0008_export_indexes.sql"
};
static const unsigned char sql_0009[] = {
#embed "../../migrations/0009_reconciliation.sql"
};
static const unsigned char sql_0010[] = {
#embed "../../migrations/0010_closed_periods.sql"
};
static const unsigned char sql_0011[] = {
#embed "../../migrations/0011_seal.sql"
};
static const unsigned char sql_0012[] = {
#embed "../../migrations/0012_pending_refunds_compared.sql"
};
static const unsigned char sql_0013[] = {
#embed "../../migrations/0013_reversals_of_purchases.sql"
};
static const unsigned char sql_0014[] = {
#embed "../../migrations/0014_unreadable_payments.sql"
};
static const unsigned char sql_0015[] = {
#embed "../../migrations/0015_expired_coins.sql"
};
static const unsigned char sql_0016[] = {
#embed "../../migrations/0016_bonus_charged.sql"
};
static const unsigned char sql_0019[] = {
#embed "../../migrations/0019_one_finding_a_payment.sql"
};
static const unsigned char sql_0020[] = {
#embed "../../migrations/0020_reconciled_payments_are_one.sql"
};
static const unsigned char sql_0021[] = {
#embed "../../migrations/0021_judges_names.sql"
};
static const unsigned char sql_0022[] = {
#embed "../../migrations/0022_grant_limits.sql"
};
static const unsigned char sql_0023[] = {
#embed "../../migrations/0023_claims.sql"
};
static const unsigned char sql_0024[] = {
#embed "../../migrations/0024_forged_webhooks.sql"
};
static const unsigned char sql_0025[] = {
#embed "../../migrations/0025_facts.sql"
};
static const unsigned char sql_0026[] = {
#embed "../../migrations/0026_work_calls.sql"
};
static const unsigned char sql_0027[] = {
#embed "../../migrations/0027_judges_read_once.sql"
};
static const unsigned char sql_0028[] = {
#embed "../../migrations/0028_leases.sql"
};
static const unsigned char sql_0029[] = {
#embed "../../migrations/0029_events.sql"
};
static const unsigned char sql_0030[] = {
#embed "../../migrations/0030_event_indexes.sql"
};
static const unsigned char sql_0031[] = {
#embed "../../migrations/0031_receipts_by_user.sql"
};
static const unsigned char sql_0032[] = {
#embed "../../migrations/0032_lease_indexes.sql"
};
static const unsigned char sql_0033[] = {
#embed "../../migrations/0033_endpoints.sql"
};
static const unsigned char sql_0034[] = {
#embed "../../migrations/0034_endpoint_indexes.sql"
};
static const unsigned char sql_0035[] = {
#embed "../../migrations/0035_console.sql"
};
static const unsigned char sql_0036[] = {
#embed "../../migrations/0036_finding_acts.sql"
};
static const unsigned char sql_0037[] = {
#embed "../../migrations/0037_work_list_indexes.sql"
};
static const unsigned char sql_0038[] = {
#embed "../../migrations/0038_coin_returns.sql"
};
static const unsigned char sql_0039[] = {
#embed "../../migrations/0039_entry_kinds_validated.sql"
};
static const unsigned char sql_0040[] = {
#embed "../../migrations/0040_planned_sales.sql"
};
static const unsigned char sql_0041[] = {
#embed "../../migrations/0041_bank_transfers.sql"
};
static const unsigned char sql_0042[] = {
#embed "../../migrations/0042_bank_transfers_validated.sql"
};
static const unsigned char sql_0043[] = {
#embed "../../migrations/0043_refund_fee_rules.sql"
};
static const unsigned char sql_0044[] = {
#embed "../../migrations/0044_providers.sql"
};
static const unsigned char sql_0045[] = {
#embed "../../migrations/0045_provider_accounts_validated.sql"
};
static const unsigned char sql_0047[] = {
#embed "../../migrations/0047_custody.sql"
};
static const unsigned char sql_0048[] = {
#embed "../../migrations/0048_custody_finding.sql"
};
static const unsigned char sql_0050[] = {
#embed "../../migrations/0050_product_lifetimes.sql"
};
static const unsigned char sql_0051[] = {
#embed "../../migrations/0051_disputes.sql"
};
static const unsigned char sql_0052[] = {
#embed "../../migrations/0052_dispute_kinds_validated.sql"
};
static const unsigned char sql_0053[] = {
#embed "../../migrations/0053_vat.sql"
};
static const unsigned char sql_0054[] = {
#embed "../../migrations/0054_vat_of_lots_validated.sql"
};
static const unsigned char sql_0059[] = {
#embed "../../migrations/0059_payout_parts.sql"
};
static const unsigned char sql_0060[] = {
#embed "../../migrations/0060_transfer_index.sql"
};
static const unsigned char sql_0061[] = {
#embed "../../migrations/0061_adjustments.sql"
};
static const unsigned char sql_0062[] = {
#embed "../../migrations/0062_expired_refunds.sql"
};
static const unsigned char sql_0063[] = {
#embed "../../migrations/0063_refunds_validated.sql"
};
static const unsigned char sql_0066[] = {
#embed "../../migrations/0066_refunds_repaid.sql"
};
static const unsigned char sql_0067[] = {
#embed "../../migrations/0067_refunds_repaid_validated.sql"
};
static const unsigned char sql_0068[] = {
#embed "../../migrations/0068_product_terms.sql"
};
static const unsigned char sql_0069[] = {
#embed "../../migrations/0069_receipts_by_order.sql"
};
static const unsigned char sql_0070[] = {
#embed "../../migrations/0070_one_payment.sql"
};
static const unsigned char sql_0071[] = {
#embed "../../migrations/0071_payment_names.sql"
};
static const unsigned char sql_0072[] = {
#embed "../../migrations/0072_refunds_tax_free.sql"
};
static const unsigned char sql_0073[] = {
#embed "../../migrations/0073_vat_of_sums.sql"
};
static const unsigned char sql_0074[] = {
#embed "../../migrations/0074_adjustment_basis.sql"
};
static const unsigned char sql_0075[] = {
#embed "../../migrations/0075_one_proposal.sql"
};
static const unsigned char sql_0077[] = {
#embed "../../migrations/0077_findings_end.sql"
};
static const unsigned char sql_0078[] = {
#embed "../../migrations/0078_findings_validated.sql"
};
static const unsigned char sql_0079[] = {
#embed "../../migrations/0079_checks_by_key.sql"
};
static const unsigned char sql_0081[] = {
#embed "../../migrations/0081_settlement_dismissals.sql"
};
static const unsigned char sql_0082[] = {
#embed "../../migrations/0082_provider_earnings_index.sql"
};
static const unsigned char sql_0084[] = {
#embed "../../migrations/0084_hold_events_by_row.sql"
};
static const unsigned char sql_0085[] = {
#embed "../../migrations/0085_refunds_tax_free_validated.sql"
};
static const unsigned char sql_0086[] = {
#embed "../../migrations/0086_disputes_won_back.sql"
};
static const unsigned char sql_0087[] = {
#embed "../../migrations/0087_entry_kinds_validated.sql"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct embedded_file migrations[] = {
    FILE("0001_ledger.sql", sql_0001),
    FILE("0002_coin_shop.sql", sql_0002),
    FILE("0003_receipt_retry.sql", sql_0003),
    FILE("0004_webhooks.sql", sql_0004),
    FILE("0005_wallet.sql", sql_0005),
    FILE("0006_orders.sql", sql_0006),
    FILE("0007_refunds.sql", sql_0007),
    FILE("0008_export_indexes.sql", sql_0008),
    FILE("0009_reconciliation.sql", sql_0009),
    FILE("0010_closed_periods.sql", sql_0010),
    FILE("0011_seal.sql", sql_0011),
    FILE("0012_pending_refunds_compared.sql", sql_0012),
    FILE("0013_reversals_of_purchases.sql", sql_0013),
    FILE("0014_unreadable_payments.sql", sql_0014),
    FILE("0015_expired_coins.sql", sql_0015),
    FILE("0016_bonus_charged.sql", sql_0016),
    FILE("0019_one_finding_a_payment.sql", sql_0019),
    FILE("0020_reconciled_payments_are_one.sql", sql_0020),
    FILE("0021_judges_names.sql", sql_0021),
    FILE("0022_grant_limits.sql", sql_0022),
    FILE("0023_claims.sql", sql_0023),
    FILE("0024_forged_webhooks.sql", sql_0024),
    FILE("0025_facts.sql", sql_0025),
    FILE("0026_work_calls.sql", sql_0026),
    FILE("0027_judges_read_once.sql", sql_0027),
    FILE("0028_leases.sql", sql_0028),
    FILE("0029_events.sql", sql_0029),
    FILE("0030_event_indexes.sql", sql_0030),
    FILE("0031_receipts_by_user.sql", sql_0031),
    FILE("0032_lease_indexes.sql", sql_0032),
    FILE("0033_endpoints.sql", sql_0033),
    FILE("0034_endpoint_indexes.sql", sql_0034),
    FILE("0035_console.sql", sql_0035),
    FILE("0036_finding_acts.sql", sql_0036),
    FILE("0037_work_list_indexes.sql", sql_0037),
    FILE("0038_coin_returns.sql", sql_0038),
    FILE("0039_entry_kinds_validated.sql", sql_0039),
    FILE("0040_planned_sales.sql", sql_0040),
    FILE("0041_bank_transfers.sql", sql_0041),
    FILE("0042_bank_transfers_validated.sql", sql_0042),
    FILE("0043_refund_fee_rules.sql", sql_0043),
    FILE("0044_providers.sql", sql_0044),
    FILE("0045_provider_accounts_validated.sql", sql_0045),
    FILE("0047_custody.sql", sql_0047),
    FILE("0048_custody_finding.sql", sql_0048),
    FILE("0050_product_lifetimes.sql", sql_0050),
    FILE("0051_disputes.sql", sql_0051),
    FILE("0052_dispute_kinds_validated.sql", sql_0052),
    FILE("0053_vat.sql", sql_0053),
    FILE("0054_vat_of_lots_validated.sql", sql_0054),
    FILE("0059_payout_parts.sql", sql_0059),
    FILE("0060_transfer_index.sql", sql_0060),
    FILE("0061_adjustments.sql", sql_0061),
    FILE("0062_expired_refunds.sql", sql_0062),
    FILE("0063_refunds_validated.sql", sql_0063),
    FILE("0066_refunds_repaid.sql", sql_0066),
    FILE("0067_refunds_repaid_validated.sql", sql_0067),
    FILE("0068_product_terms.sql", sql_0068),
    FILE("0069_receipts_by_order.sql", sql_0069),
    FILE("0070_one_payment.sql", sql_0070),
    FILE("0071_payment_names.sql", sql_0071),
    FILE("0072_refunds_tax_free.sql", sql_0072),
    FILE("0073_vat_of_sums.sql", sql_0073),
    FILE("0074_adjustment_basis.sql", sql_0074),
    FILE("0075_one_proposal.sql", sql_0075),
    FILE("0077_findings_end.sql", sql_0077),
    FILE("0078_findings_validated.sql", sql_0078),
    FILE("0079_checks_by_key.sql", sql_0079),
    FILE("0081_settlement_dismissals.sql", sql_0081),
    FILE("0082_provider_earnings_index.sql", sql_0082),
    FILE("0084_hold_events_by_row.sql", sql_0084),
    FILE("0085_refunds_tax_free_validated.sql", sql_0085),
    FILE("0086_disputes_won_back.sql", sql_0086),
    FILE("0087_entry_kinds_validated.sql", sql_0087),
};

const struct embedded_file *embedded_migrations(void) { return migrations; }

size_t embedded_migration_count(void) { return sizeof migrations / sizeof *migrations; }

static const char version[] = {
#embed "../../VERSION" suffix(, 0)
};

#ifndef LEDGERD_BUILD_COMMIT
#define LEDGERD_BUILD_COMMIT NULL
#endif
#ifndef LEDGERD_BUILD_TIME
#define LEDGERD_BUILD_TIME NULL
#endif

struct embedded_build embedded_build(void) {
    return (struct embedded_build){version, LEDGERD_BUILD_COMMIT, LEDGERD_BUILD_TIME};
}
