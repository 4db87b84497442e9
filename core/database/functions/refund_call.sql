-- An operator gives back what a call used, once. 0 = it used nothing, or was refunded before.
CREATE OR REPLACE FUNCTION refund_call(p_call text, p_note text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
END $function$;
