-- @compatible-from 0087
-- What the judges know of each kind of entry: a new kind is a row here, and in journal_entry_kind_known. Of a kind that has no
-- row they take nothing.
CREATE TABLE entry_kind (
    kind          text PRIMARY KEY,
    -- The table with what an entry must meet, with its kind and reference; of a hold, refund, payout or dispute also the table
    -- of what followed. NULL: what its postings must meet is enough.
    fact          text,
    reverses      boolean NOT NULL, -- whether an entry may name one that it reverses
    returns_coins boolean NOT NULL, -- whether it gives coins back to lots: of an entry whose kind is its own before `_reversal`
    debt          text CONSTRAINT entry_kind_debt_known CHECK (debt IN ('makes', 'ends')) -- what it may do to a debt
);
GRANT SELECT ON entry_kind TO ledgerd_service;

INSERT INTO entry_kind (kind, fact, reverses, returns_coins, debt) VALUES
    ('purchase',                'purchase',           false, false, NULL),
    ('grant',                   NULL,                 false, false, NULL),
    ('claw_back',               'purchase_reversal',  true,  false, 'makes'),
    ('debt_payment',            NULL,                 false, false, 'ends'),
    ('spend',                   NULL,                 false, false, NULL),
    ('hold',                    'hold',               false, false, NULL),
    ('capture',                 'hold',               false, false, NULL),
    ('void',                    'hold',               true,  false, NULL),
    ('expiry',                  NULL,                 false, false, NULL),
    ('refund_hold',             'refund',             false, false, NULL),
    ('refund_release',          'refund',             true,  false, NULL),
    ('refund',                  'refund',             true,  false, NULL),
    ('settlement',              'settlement_row',     false, false, NULL),
    ('spend_reversal',          'coin_return',        true,  true,  NULL),
    ('capture_reversal',        'coin_return',        true,  true,  NULL),
    ('refund_payment',          'refund',             false, false, NULL),
    ('refund_reversal',         'refund',             true,  true,  NULL),
    ('debt_bank_payment',       'debt_bank_payment',  false, false, 'ends'),
    ('debt_write_off',          NULL,                 false, false, 'ends'),
    ('payout',                  'payout',             false, false, NULL),
    ('provider_repayment',      'provider_repayment', false, false, NULL),
    ('dispute_hold',            'coin_freeze',        false, false, NULL),
    ('dispute_release',         'coin_freeze',        false, false, NULL),
    ('adjustment',              'adjustment',         false, false, NULL),
    ('expiry_reversal',         'refund',             false, false, NULL),
    ('debt_write_off_reversal', NULL,                 false, false, 'makes'),
    ('claw_back_reversal',      'dispute',            true,  true,  'ends');

-- @after-judges
