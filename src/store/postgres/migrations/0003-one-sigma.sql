-- Titles are searched with one small letter for the Greek sigma, also at the end of a word.
UPDATE markets SET folded_title = replace(folded_title, 'ς', 'σ') WHERE strpos(folded_title, 'ς') > 0;
