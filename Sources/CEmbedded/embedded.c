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

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const unsigned char folded[] = {
#embed "../../schema/folded.sha256"
};

struct embedded_file embedded_folded(void) { return (struct embedded_file)FILE("folded.sha256", folded); }

// tables

static const unsigned char table_01_journal[] = {
#embed "../../schema/01_journal.sql"
};
static const unsigned char table_02_periods[] = {
#embed "../../schema/02_periods.sql"
};
static const unsigned char table_03_purchases[] = {
#embed "../../schema/03_purchases.sql"
};
static const unsigned char table_04_lots[] = {
#embed "../../schema/04_lots.sql"
};
static const unsigned char table_05_refunds[] = {
#embed "../../schema/05_refunds.sql"
};
static const unsigned char table_06_disputes[] = {
#embed "../../schema/06_disputes.sql"
};
static const unsigned char table_07_providers[] = {
#embed "../../schema/07_providers.sql"
};
static const unsigned char table_08_events[] = {
#embed "../../schema/08_events.sql"
};
static const unsigned char table_09_settlements[] = {
#embed "../../schema/09_settlements.sql"
};
static const unsigned char table_10_adjustments[] = {
#embed "../../schema/10_adjustments.sql"
};
static const unsigned char table_11_console[] = {
#embed "../../schema/11_console.sql"
};
static const unsigned char table_12_stores[] = {
#embed "../../schema/12_stores.sql"
};
static const unsigned char table_13_top_ups[] = {
#embed "../../schema/13_top_ups.sql"
};
static const unsigned char table_14_campaigns[] = {
#embed "../../schema/14_campaigns.sql"
};
static const unsigned char table_15_users[] = {
#embed "../../schema/15_users.sql"
};

static const struct embedded_file tables[] = {
    FILE("01_journal.sql", table_01_journal),
    FILE("02_periods.sql", table_02_periods),
    FILE("03_purchases.sql", table_03_purchases),
    FILE("04_lots.sql", table_04_lots),
    FILE("05_refunds.sql", table_05_refunds),
    FILE("06_disputes.sql", table_06_disputes),
    FILE("07_providers.sql", table_07_providers),
    FILE("08_events.sql", table_08_events),
    FILE("09_settlements.sql", table_09_settlements),
    FILE("10_adjustments.sql", table_10_adjustments),
    FILE("11_console.sql", table_11_console),
    FILE("12_stores.sql", table_12_stores),
    FILE("13_top_ups.sql", table_13_top_ups),
    FILE("14_campaigns.sql", table_14_campaigns),
    FILE("15_users.sql", table_15_users),
};

struct embedded_files embedded_tables(void) {
    return (struct embedded_files){tables, sizeof tables / sizeof *tables};
}

// judges

static const unsigned char judge_adjustments[] = {
#embed "../../schema/judges/adjustments.sql"
};
static const unsigned char judge_campaigns[] = {
#embed "../../schema/judges/campaigns.sql"
};
static const unsigned char judge_console[] = {
#embed "../../schema/judges/console.sql"
};
static const unsigned char judge_crediting[] = {
#embed "../../schema/judges/crediting.sql"
};
static const unsigned char judge_disputes[] = {
#embed "../../schema/judges/disputes.sql"
};
static const unsigned char judge_events[] = {
#embed "../../schema/judges/events.sql"
};
static const unsigned char judge_foreign_money[] = {
#embed "../../schema/judges/foreign_money.sql"
};
static const unsigned char judge_forgetting[] = {
#embed "../../schema/judges/forgetting.sql"
};
static const unsigned char judge_gifts[] = {
#embed "../../schema/judges/gifts.sql"
};
static const unsigned char judge_holds[] = {
#embed "../../schema/judges/holds.sql"
};
static const unsigned char judge_journal[] = {
#embed "../../schema/judges/journal.sql"
};
static const unsigned char judge_lots[] = {
#embed "../../schema/judges/lots.sql"
};
static const unsigned char judge_merges[] = {
#embed "../../schema/judges/merges.sql"
};
static const unsigned char judge_periods[] = {
#embed "../../schema/judges/periods.sql"
};
static const unsigned char judge_providers[] = {
#embed "../../schema/judges/providers.sql"
};
static const unsigned char judge_purchases[] = {
#embed "../../schema/judges/purchases.sql"
};
static const unsigned char judge_rates[] = {
#embed "../../schema/judges/rates.sql"
};
static const unsigned char judge_refunds[] = {
#embed "../../schema/judges/refunds.sql"
};
static const unsigned char judge_revaluations[] = {
#embed "../../schema/judges/revaluations.sql"
};
static const unsigned char judge_settlements[] = {
#embed "../../schema/judges/settlements.sql"
};
static const unsigned char judge_top_ups[] = {
#embed "../../schema/judges/top_ups.sql"
};

static const struct embedded_file judges[] = {
    FILE("adjustments.sql", judge_adjustments),
    FILE("campaigns.sql", judge_campaigns),
    FILE("console.sql", judge_console),
    FILE("crediting.sql", judge_crediting),
    FILE("disputes.sql", judge_disputes),
    FILE("events.sql", judge_events),
    FILE("foreign_money.sql", judge_foreign_money),
    FILE("forgetting.sql", judge_forgetting),
    FILE("gifts.sql", judge_gifts),
    FILE("holds.sql", judge_holds),
    FILE("journal.sql", judge_journal),
    FILE("lots.sql", judge_lots),
    FILE("merges.sql", judge_merges),
    FILE("periods.sql", judge_periods),
    FILE("providers.sql", judge_providers),
    FILE("purchases.sql", judge_purchases),
    FILE("rates.sql", judge_rates),
    FILE("refunds.sql", judge_refunds),
    FILE("revaluations.sql", judge_revaluations),
    FILE("settlements.sql", judge_settlements),
    FILE("top_ups.sql", judge_top_ups),
};

struct embedded_files embedded_judges(void) {
    return (struct embedded_files){judges, sizeof judges / sizeof *judges};
}

// migrations

static const unsigned char migration_0149[] = {
#embed "../../migrations/0149_rates.sql"
};

static const unsigned char migration_0150[] = {
#embed "../../migrations/0150_foreign_money.sql"
};

static const unsigned char migration_0151[] = {
#embed "../../migrations/0151_foreign_money_constraints.sql"
};
static const unsigned char migration_0152[] = {
#embed "../../migrations/0152_foreign_settlement.sql"
};
static const unsigned char migration_0153[] = {
#embed "../../migrations/0153_foreign_settlement_constraints.sql"
};
static const unsigned char migration_0154[] = {
#embed "../../migrations/0154_revaluation.sql"
};
static const unsigned char migration_0156[] = {
#embed "../../migrations/0156_product_prices.sql"
};
static const unsigned char migration_0157[] = {
#embed "../../migrations/0157_order_currency.sql"
};
static const unsigned char migration_0158[] = {
#embed "../../migrations/0158_revaluation_snapshot.sql"
};
static const unsigned char migration_0160[] = {
#embed "../../migrations/0160_order_in_known_currency.sql"
};
static const unsigned char migration_0161[] = {
#embed "../../migrations/0161_order_in_known_currency_constraints.sql"
};
static const unsigned char migration_0162[] = {
#embed "../../migrations/0162_foreign_refunds.sql"
};
static const unsigned char migration_0163[] = {
#embed "../../migrations/0163_foreign_refund_constraints.sql"
};
static const unsigned char migration_0164[] = {
#embed "../../migrations/0164_revaluation_follows_measurement.sql"
};
static const unsigned char migration_0166[] = {
#embed "../../migrations/0166_parts_of_no_won.sql"
};
static const unsigned char migration_0167[] = {
#embed "../../migrations/0167_parts_of_no_won_constraints.sql"
};
static const unsigned char migration_0169[] = {
#embed "../../migrations/0169_foreign_settlement_columns.sql"
};
static const unsigned char migration_0172[] = {
#embed "../../migrations/0172_foreign_net_of_lines.sql"
};

static const struct embedded_file migrations[] = {
    FILE("0149_rates.sql", migration_0149),
    FILE("0150_foreign_money.sql", migration_0150),
    FILE("0151_foreign_money_constraints.sql", migration_0151),
    FILE("0152_foreign_settlement.sql", migration_0152),
    FILE("0153_foreign_settlement_constraints.sql", migration_0153),
    FILE("0154_revaluation.sql", migration_0154),
    FILE("0156_product_prices.sql", migration_0156),
    FILE("0157_order_currency.sql", migration_0157),
    FILE("0158_revaluation_snapshot.sql", migration_0158),
    FILE("0160_order_in_known_currency.sql", migration_0160),
    FILE("0161_order_in_known_currency_constraints.sql", migration_0161),
    FILE("0162_foreign_refunds.sql", migration_0162),
    FILE("0163_foreign_refund_constraints.sql", migration_0163),
    FILE("0164_revaluation_follows_measurement.sql", migration_0164),
    FILE("0166_parts_of_no_won.sql", migration_0166),
    FILE("0167_parts_of_no_won_constraints.sql", migration_0167),
    FILE("0169_foreign_settlement_columns.sql", migration_0169),
    FILE("0172_foreign_net_of_lines.sql", migration_0172),
};

struct embedded_files embedded_migrations(void) {
    return (struct embedded_files){migrations, sizeof migrations / sizeof *migrations};
}

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
