/** Moments are Unix seconds; days are numbers, `20260228`; places are in millionths of a degree. */
export const schema = `
CREATE TABLE travellers (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, zone TEXT NOT NULL) STRICT;
CREATE TABLE journeys (id INTEGER PRIMARY KEY, account TEXT NOT NULL, heading TEXT NOT NULL, first_day INTEGER NOT NULL,
  last_day INTEGER, blurb TEXT NOT NULL, audience TEXT NOT NULL, companions TEXT NOT NULL, metres INTEGER NOT NULL) STRICT;
CREATE INDEX journeys_days ON journeys (account, first_day, id);
CREATE TABLE entries (id INTEGER PRIMARY KEY, account TEXT NOT NULL, journey INTEGER NOT NULL, heading TEXT NOT NULL,
  story TEXT NOT NULL, spot TEXT NOT NULL, land TEXT, lat6 INTEGER, lng6 INTEGER, at INTEGER NOT NULL,
  zone TEXT NOT NULL, media TEXT NOT NULL) STRICT;
CREATE INDEX entries_journey ON entries (journey, at, id);
CREATE INDEX entries_account ON entries (account, id);
CREATE TABLE remarks (id INTEGER PRIMARY KEY, account TEXT NOT NULL, entry INTEGER NOT NULL, called TEXT NOT NULL,
  mail TEXT NOT NULL, words TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX remarks_entry ON remarks (entry, at, id);
CREATE TABLE answers (id INTEGER PRIMARY KEY, account TEXT NOT NULL, remark INTEGER NOT NULL, words TEXT NOT NULL,
  at INTEGER NOT NULL) STRICT;
CREATE INDEX answers_account ON answers (account, id);
CREATE INDEX answers_remark ON answers (remark, id);
CREATE TABLE followers (id INTEGER PRIMARY KEY, account TEXT NOT NULL, called TEXT NOT NULL, mail TEXT NOT NULL,
  pass TEXT NOT NULL) STRICT;
CREATE INDEX followers_account ON followers (account, id);
CREATE TABLE notices (id INTEGER PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, recipient TEXT NOT NULL,
  words TEXT NOT NULL, journey INTEGER NOT NULL, entry INTEGER NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX notices_account ON notices (account, id);
CREATE TABLE archives (key TEXT PRIMARY KEY, account TEXT NOT NULL, journey INTEGER NOT NULL, format TEXT NOT NULL,
  media INTEGER NOT NULL, good_until INTEGER NOT NULL) STRICT;
`
