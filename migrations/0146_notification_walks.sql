-- @compatible-from 0136
-- Until when the notifications of gateways were walked that list them, because a notification can be lost (docs/decisions/0214).
CREATE TABLE notification_walk (
    gateway      text NOT NULL,
    list         text NOT NULL, -- the gateway's name of it: an environment
    walked_until timestamptz NOT NULL,
    PRIMARY KEY (gateway, list)
);
GRANT SELECT, INSERT, UPDATE (walked_until) ON notification_walk TO ledgerd_service;
