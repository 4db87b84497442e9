DROP TABLE added_connectors;
DROP TABLE connector_bundles;
