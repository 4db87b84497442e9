DROP TABLE findings;
