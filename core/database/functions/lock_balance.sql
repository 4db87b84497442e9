-- Locks the owner's balance and brings it to this month: what was left lapses, the plan's credits are granted once. A
-- clock that goes back over the beginning of a month does not bring the month before it back.
CREATE OR REPLACE FUNCTION lock_balance(p_owner text)
 RETURNS balances
 LANGUAGE plpgsql
AS $function$
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
END $function$;
