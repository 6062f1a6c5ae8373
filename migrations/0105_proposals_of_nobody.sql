-- @compatible-from 0088
-- The payment of a finding can be given back to its payer when nobody knows whose it is: its proposal names no customer.
-- It named the customer 'unknown', which somebody's id can be.
ALTER TABLE approval ALTER COLUMN user_id DROP NOT NULL;
