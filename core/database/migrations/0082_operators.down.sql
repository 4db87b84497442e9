ALTER TABLE operator_sessions DROP COLUMN operator;
DROP TABLE operators;
