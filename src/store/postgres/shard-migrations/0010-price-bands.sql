-- How far from the reference price one command may trade in a market: JSON.
ALTER TABLE markets ADD COLUMN price_band TEXT;
