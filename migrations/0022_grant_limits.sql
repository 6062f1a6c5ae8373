-- What each caller gave on a day, where a setting bounds it: counted before the grant is posted, so that all processes share
-- one sum.

CREATE TABLE grant_day (
    caller text   NOT NULL,
    day    date   NOT NULL,
    coins  bigint NOT NULL, -- counted, whether or not the grant was then made
    CONSTRAINT grant_day_pkey PRIMARY KEY (caller, day),
    CONSTRAINT grant_day_coins_positive CHECK (coins > 0)
);
GRANT SELECT, INSERT, UPDATE (coins) ON grant_day TO ledgerd_service;

-- A request that is sent again is counted once.
CREATE TABLE grant_counted (
    caller text   NOT NULL,
    key    text   NOT NULL,
    day    date   NOT NULL,
    coins  bigint NOT NULL,
    CONSTRAINT grant_counted_pkey PRIMARY KEY (caller, key),
    CONSTRAINT grant_counted_coins_positive CHECK (coins > 0)
);
GRANT SELECT, INSERT ON grant_counted TO ledgerd_service;
