-- Gives the reservation back. Credits of a month that is over lapse at once.
CREATE OR REPLACE FUNCTION release_credits(p_call text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  balance balances;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.reserved_month IS NULL THEN
    RETURN;
  END IF;
  balance := lock_balance(c.owner);
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'release', c.credits, c.reserved_month, p_call);
  IF c.reserved_month = balance.month THEN
    UPDATE balances SET available = available + c.credits, reserved = reserved - c.credits WHERE owner = c.owner;
  ELSE
    INSERT INTO ledger (owner, kind, amount, month) VALUES (c.owner, 'lapse', c.credits, c.reserved_month);
    UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  END IF;
  UPDATE calls SET reserved_month = NULL WHERE id = p_call;
END $function$;
