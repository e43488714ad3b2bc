-- Whether committed turns may be in a file beside this one, and not yet in its tables: see
-- turns-file.ts. Set by the start that has made that file; 0 in a backup, which needs no other file.
INSERT INTO meta VALUES ('turns_file', 0);
-- The file of turns has a table like this: commits are the first to notice a full disk.
DROP TABLE probes;
