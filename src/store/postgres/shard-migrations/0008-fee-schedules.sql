-- What the owner's sides of trades pay in this market: JSON.
ALTER TABLE markets ADD COLUMN fee_schedule TEXT;
