-- Up Migration

-- As before, and besides: a clock that goes back over the beginning of a month does not bring the month before it back, which has been
-- granted and closed; until the clock is there again the balance is that of the month that had begun. The clock is read once.
CREATE OR REPLACE FUNCTION lock_balance(p_owner text) RETURNS balances LANGUAGE plpgsql AS $$
DECLARE
  balance balances;
  this_one date := this_month();
  granted integer;
BEGIN
  SELECT * INTO STRICT balance FROM balances WHERE owner = p_owner FOR UPDATE;
  IF balance.month >= this_one THEN
    RETURN balance;
  END IF;
  IF balance.available > 0 THEN
    INSERT INTO ledger (owner, kind, amount, month) VALUES (p_owner, 'lapse', balance.available, balance.month);
  END IF;
  SELECT monthly_credits INTO STRICT granted FROM users JOIN plans ON plans.name = users.plan WHERE users.id = p_owner;
  IF granted > 0 THEN
    INSERT INTO ledger (owner, kind, amount, month) VALUES (p_owner, 'grant', granted, this_one);
  END IF;
  UPDATE balances SET month = this_one, available = granted WHERE owner = p_owner RETURNING * INTO balance;
  RETURN balance;
END $$;

-- As before, and besides: never for a call that has ended, as a statement may that was on its way for long, and in the balance's month.
CREATE OR REPLACE FUNCTION reserve_credits(p_call text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  balance balances;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.status <> 'running' THEN
    RETURN false;
  END IF;
  IF c.credits = 0 OR c.reserved_month IS NOT NULL THEN
    RETURN true;
  END IF;
  balance := lock_balance(c.owner);
  IF balance.available < c.credits THEN
    RETURN false;
  END IF;
  UPDATE balances SET available = available - c.credits, reserved = reserved + c.credits WHERE owner = c.owner;
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'reserve', c.credits, balance.month, p_call);
  UPDATE calls SET reserved_month = balance.month WHERE id = p_call;
  RETURN true;
END $$;

-- As before, in the balance's month.
CREATE OR REPLACE FUNCTION refund_call(p_call text, p_note text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  balance balances;
  used integer;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  SELECT coalesce(sum(CASE kind WHEN 'capture' THEN amount WHEN 'refund' THEN -amount ELSE 0 END), 0) INTO used
    FROM ledger WHERE call_id = p_call;
  IF used <= 0 THEN
    RETURN 0;
  END IF;
  balance := lock_balance(c.owner);
  INSERT INTO ledger (owner, kind, amount, month, call_id, note) VALUES (c.owner, 'refund', used, balance.month, p_call, p_note);
  UPDATE balances SET available = available + used WHERE owner = c.owner;
  RETURN used;
END $$;
