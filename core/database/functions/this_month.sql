CREATE OR REPLACE FUNCTION this_month()
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
$function$;
