-- What an operator's sides of trades pay by role: JSON.
ALTER TABLE operators ADD COLUMN fee_schedule TEXT;
