DROP TABLE oauth_networks;
