DROP TABLE recovery_codes;
DROP TABLE totp;
