-- Up Migration

-- Traces of attacks, for operators: equal ones of a minute are one row, so that a flood writes little.
CREATE TABLE security_log (
  minute timestamptz NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  times integer NOT NULL,
  PRIMARY KEY (minute, kind, address)
);
COMMENT ON TABLE security_log IS 'Traces of attacks, for operators: equal ones of a minute are one row, so that a flood writes little. Kept for 90 days.';
COMMENT ON COLUMN security_log.address IS 'Where it came from; (others): from more addresses than a process notes one by one.';
