-- Up Migration

-- A key that replaces another is for the same endpoints, also where a release makes it that does not know the column.
CREATE FUNCTION keep_key_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT endpoints INTO NEW.endpoints FROM api_keys WHERE line = NEW.line AND turn = NEW.turn - 1;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION keep_key_limits IS 'Gives a key that replaces another the limits of that one.';
CREATE TRIGGER keep_key_limits BEFORE INSERT ON api_keys
  FOR EACH ROW WHEN (NEW.turn > 0 AND NEW.endpoints IS NULL) EXECUTE FUNCTION keep_key_limits();
