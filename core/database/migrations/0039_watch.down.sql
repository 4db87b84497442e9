DROP TABLE watches;
DROP TABLE app_changes;
DROP TABLE app_outcomes;
