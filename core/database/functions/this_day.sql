-- The day of budgets, in UTC: when it began.
CREATE OR REPLACE FUNCTION this_day()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT date_trunc('day', clock_timestamp(), 'UTC')
$function$;
