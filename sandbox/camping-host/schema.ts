/** Moments are Unix seconds, days are days since 1970 on the host's clocks, money is in the smallest unit of its currency. */
export const schema = `
CREATE TABLE hosts (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, zone TEXT NOT NULL, anchor INTEGER NOT NULL) STRICT;
CREATE TABLE lands (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL,
  cur TEXT NOT NULL) STRICT;
CREATE INDEX lands_account ON lands (account, serial);
CREATE TABLE pitches (serial INTEGER PRIMARY KEY, land INTEGER NOT NULL, label TEXT NOT NULL, base INTEGER NOT NULL) STRICT;
CREATE INDEX pitches_land ON pitches (land, serial);
CREATE TABLE stays (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, pitch INTEGER NOT NULL, first TEXT NOT NULL,
  last TEXT NOT NULL, mail TEXT NOT NULL, come INTEGER NOT NULL, leave INTEGER NOT NULL, heads INTEGER NOT NULL,
  hello TEXT NOT NULL, nightly INTEGER NOT NULL, verdict TEXT NOT NULL, until INTEGER) STRICT;
CREATE INDEX stays_account ON stays (account, come);
CREATE INDEX stays_pitch ON stays (pitch, come);
CREATE TABLE marks (pitch INTEGER NOT NULL, day INTEGER NOT NULL, shut INTEGER NOT NULL, price INTEGER,
  PRIMARY KEY (pitch, day)) STRICT;
CREATE TABLE chats (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, stay INTEGER, first TEXT NOT NULL,
  last TEXT NOT NULL, mail TEXT NOT NULL) STRICT;
CREATE INDEX chats_account ON chats (account, serial);
CREATE INDEX chats_stay ON chats (stay);
CREATE TABLE notes (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, chat INTEGER NOT NULL, by_host INTEGER NOT NULL,
  words TEXT NOT NULL, at INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT;
CREATE INDEX notes_chat ON notes (chat, at, serial);
CREATE INDEX notes_account ON notes (account, serial);
CREATE TABLE reviews (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, stay INTEGER NOT NULL, up INTEGER NOT NULL,
  words TEXT NOT NULL, at INTEGER NOT NULL, reply TEXT) STRICT;
CREATE INDEX reviews_account ON reviews (account, at);
CREATE TABLE mails (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL,
  words TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, serial);
`
