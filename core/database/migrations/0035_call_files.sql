-- Up Migration

-- Files that calls take: fetched when a call is accepted, so that what was approved is what is sent.
CREATE TABLE call_files (
  call_id text NOT NULL REFERENCES calls (id),
  place text NOT NULL,
  about bytea NOT NULL,
  content bytea,
  PRIMARY KEY (call_id, place)
);
-- What is sealed cannot be packed.
ALTER TABLE call_files ALTER COLUMN about SET STORAGE EXTERNAL, ALTER COLUMN content SET STORAGE EXTERNAL;
COMMENT ON TABLE call_files IS 'Files of calls, sealed with the account''s data key: fetched once, when the call was accepted or its person changed it.';
COMMENT ON COLUMN call_files.place IS 'Where the input has the address: photo, photos.1.';
COMMENT ON COLUMN call_files.about IS 'Sealed: address, name, type, size and hash. Forgotten with the call''s content.';
COMMENT ON COLUMN call_files.content IS 'Sealed: the bytes. NULL: the call has ended.';

CREATE FUNCTION keep_files(p_call text, p_places text[], p_abouts bytea[], p_contents bytea[], p_most bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  whose text;
BEGIN
  SELECT owner INTO STRICT whose FROM calls WHERE id = p_call;
  -- One at a time, or two together could be too much.
  PERFORM FROM balances WHERE owner = whose FOR UPDATE;
  DELETE FROM call_files WHERE call_id = p_call;
  INSERT INTO call_files (call_id, place, about, content)
    SELECT p_call, f.place, f.about, f.content FROM unnest(p_places, p_abouts, p_contents) AS f(place, about, content);
  IF (SELECT sum(octet_length(f.content)) FROM calls c JOIN call_files f ON f.call_id = c.id
      WHERE c.owner = whose AND c.status IN ('awaiting_confirmation', 'running')) > p_most THEN
    RAISE EXCEPTION 'too many bytes of files' USING ERRCODE = 'CG001';
  END IF;
END $$;
COMMENT ON FUNCTION keep_files(text, text[], bytea[], bytea[], bigint) IS 'Puts these files in the place of those that a call has. CG001: all of its owner''s open calls would have more than `p_most` bytes.';

CREATE FUNCTION forget_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE call_files SET content = NULL WHERE call_id = NEW.id AND content IS NOT NULL;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION forget_files() IS 'A call that has ended sends nothing any more.';
CREATE TRIGGER files_ended AFTER UPDATE OF status ON calls FOR EACH ROW
  WHEN (OLD.status IN ('awaiting_confirmation', 'running') AND NEW.status NOT IN ('awaiting_confirmation', 'running'))
  EXECUTE FUNCTION forget_files();
