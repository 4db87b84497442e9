DROP TRIGGER traces_disconnected ON accounts;
DROP FUNCTION forget_traces();
DROP TABLE traces;
