CREATE OR REPLACE FUNCTION capture_credits(p_call text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.reserved_month IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'capture', c.credits, c.reserved_month, p_call);
  UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  UPDATE calls SET reserved_month = NULL, credits_used = c.credits WHERE id = p_call;
END $function$;
