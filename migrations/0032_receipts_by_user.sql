-- Customer support lists a user's receipts, also the decided ones, newest first.
CREATE INDEX receipt_retry_by_user ON receipt_retry (user_id, id);
