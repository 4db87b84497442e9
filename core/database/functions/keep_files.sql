-- Puts these files in the place of those that a call has. CG001: all of its owner's open calls would have more than
-- `p_most` bytes.
CREATE OR REPLACE FUNCTION keep_files(
  p_call text,
  p_places text[],
  p_abouts bytea[],
  p_contents bytea[],
  p_most bigint
)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
END $function$;
