ALTER TABLE security_log DROP COLUMN subjects;
