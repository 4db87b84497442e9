-- Reserves the call's credits; false = there are not enough, or the call has ended. True also when it has a reservation
-- already.
CREATE OR REPLACE FUNCTION reserve_credits(p_call text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$;
