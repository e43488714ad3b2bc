-- When failed deliveries are attempted again, and the form of the body.
ALTER TABLE webhooks ADD COLUMN retry_schedule TEXT NOT NULL DEFAULT 'STANDARD';
ALTER TABLE webhooks ADD COLUMN format TEXT NOT NULL DEFAULT 'OUTCRY';
