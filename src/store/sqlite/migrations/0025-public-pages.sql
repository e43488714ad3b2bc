-- Whether anybody may read a market on a page of its own.
ALTER TABLE markets ADD COLUMN has_public_page INTEGER NOT NULL DEFAULT 0;
