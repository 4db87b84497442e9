DROP TABLE chores;
