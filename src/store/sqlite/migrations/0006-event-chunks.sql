-- Which types are told of in each run of 1024 sequences: whoever asks for a rare one need not read
-- through all the others. A row belongs to the chunk of its first sequence.
CREATE TABLE telling_chunks (
  operator INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  types INTEGER NOT NULL,
  PRIMARY KEY (operator, chunk)
) STRICT, WITHOUT ROWID;

INSERT INTO telling_chunks (operator, chunk, types)
SELECT operator, first_sequence / 1024, types FROM tellings WHERE true
ON CONFLICT (operator, chunk) DO UPDATE SET types = types | excluded.types;

CREATE TRIGGER tellings_noted AFTER INSERT ON tellings BEGIN
  INSERT INTO telling_chunks (operator, chunk, types)
  VALUES (new.operator, new.first_sequence / 1024, new.types)
  ON CONFLICT (operator, chunk) DO UPDATE SET types = types | excluded.types;
END;

CREATE INDEX tellings_by_market ON tellings (operator, market, first_sequence);
