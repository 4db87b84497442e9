-- A larger plan counts at once: what the month's grant falls short of it comes on top, however often plans are changed.
CREATE OR REPLACE FUNCTION change_plan(p_owner text, p_plan text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  balance balances;
  wanted integer;
  granted integer;
BEGIN
  -- The month's grant is that of the plan so far.
  balance := lock_balance(p_owner);
  SELECT monthly_credits INTO STRICT wanted FROM plans WHERE name = p_plan;
  UPDATE users SET plan = p_plan WHERE id = p_owner;
  SELECT coalesce(sum(amount), 0) INTO granted FROM ledger
    WHERE owner = p_owner AND month = balance.month AND kind IN ('grant', 'upgrade');
  IF wanted <= granted THEN
    RETURN 0;
  END IF;
  INSERT INTO ledger (owner, kind, amount, month, note) VALUES (p_owner, 'upgrade', wanted - granted, balance.month, p_plan);
  UPDATE balances SET available = available + wanted - granted WHERE owner = p_owner;
  RETURN wanted - granted;
END $function$;
