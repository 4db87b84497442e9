DROP TABLE call_counts;
