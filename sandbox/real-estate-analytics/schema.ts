/** Places are in feet on one flat map, rates of occupancy in basis points, moments in Unix seconds. */
export const schema = `
CREATE TABLE desks (account TEXT PRIMARY KEY, serial INTEGER NOT NULL, feed_day INTEGER NOT NULL, anchor INTEGER NOT NULL) STRICT;
CREATE TABLE areas (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, tier TEXT NOT NULL, name TEXT NOT NULL,
  city_name TEXT NOT NULL, city INTEGER NOT NULL, st TEXT NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
  score INTEGER NOT NULL) STRICT;
CREATE INDEX areas_account ON areas (account, serial);
CREATE TABLE homes (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, lane TEXT NOT NULL, street TEXT NOT NULL,
  folded TEXT NOT NULL, area INTEGER NOT NULL, city INTEGER NOT NULL, kind TEXT NOT NULL, br INTEGER NOT NULL,
  ba REAL NOT NULL, price INTEGER NOT NULL, rate INTEGER NOT NULL, occ_bp INTEGER NOT NULL, rent INTEGER NOT NULL,
  x INTEGER NOT NULL, y INTEGER NOT NULL, since INTEGER NOT NULL) STRICT;
CREATE INDEX homes_lane ON homes (account, lane, serial);
CREATE INDEX homes_folded ON homes (account, folded);
CREATE TABLE presets (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, title TEXT NOT NULL COLLATE NOCASE,
  crit TEXT NOT NULL, UNIQUE (account, title)) STRICT;
CREATE TABLE saves (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, home INTEGER NOT NULL, stars INTEGER,
  memo TEXT NOT NULL, made INTEGER NOT NULL, gone INTEGER) STRICT;
CREATE INDEX saves_account ON saves (account, serial);
CREATE INDEX saves_home ON saves (home);
CREATE TABLE alerts (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, area INTEGER NOT NULL, crit TEXT NOT NULL,
  every TEXT NOT NULL, made INTEGER NOT NULL, begun INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT;
CREATE INDEX alerts_account ON alerts (account, serial);
CREATE TABLE mails (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, alert INTEGER NOT NULL, recipient TEXT NOT NULL,
  subject TEXT NOT NULL, words TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, serial);
CREATE TABLE files (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
  about TEXT NOT NULL, body TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX files_account ON files (account, serial);
`
