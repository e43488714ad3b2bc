-- The chunks of events are noted once for a turn, by its writer (chunk-notes.ts), instead of with
-- each row of it.
DROP TRIGGER tellings_noted;
