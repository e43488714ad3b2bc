-- While a new secret of a webhook replaces the old one, deliveries are signed with both.
ALTER TABLE webhooks ADD COLUMN previous_sealed_secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_secret_until INTEGER;
