-- What an operator's sides of trades pay by role, and what the owner's sides pay in one market: JSON.
ALTER TABLE operators ADD COLUMN fee_schedule TEXT;
ALTER TABLE markets ADD COLUMN fee_schedule TEXT;
