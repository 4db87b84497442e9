DROP TABLE call_metadata;
