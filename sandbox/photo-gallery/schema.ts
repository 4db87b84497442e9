/** Times are Unix milliseconds, days `YYYYMMDD` in the studio's zone; money is in hundredths of the currency. */
export const schema = `
CREATE TABLE studios (account TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, zone TEXT NOT NULL, money TEXT NOT NULL,
  quota_kb INTEGER NOT NULL) STRICT;
CREATE TABLE galleries (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, key TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  folded TEXT NOT NULL, shoot_day TEXT, password TEXT, pin TEXT, made INTEGER NOT NULL) STRICT;
CREATE INDEX galleries_account ON galleries (account, serial);
CREATE TABLE frames (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, gallery INTEGER NOT NULL, file TEXT NOT NULL,
  source TEXT NOT NULL, kb INTEGER NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX frames_gallery ON frames (gallery, serial);
CREATE INDEX frames_account ON frames (account, kb);
CREATE TABLE hearts (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, gallery INTEGER NOT NULL, file TEXT NOT NULL,
  who TEXT NOT NULL, remark TEXT, made INTEGER NOT NULL) STRICT;
CREATE INDEX hearts_gallery ON hearts (gallery, serial);
CREATE TABLE grabs (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, gallery INTEGER NOT NULL, who TEXT NOT NULL,
  files INTEGER NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX grabs_gallery ON grabs (gallery, serial);
CREATE TABLE people (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, full_name TEXT NOT NULL, mail TEXT NOT NULL,
  tel TEXT NOT NULL, standing TEXT NOT NULL, folded TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE INDEX people_account ON people (account, serial);
CREATE TABLE bookings (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, sitter INTEGER NOT NULL, kind TEXT NOT NULL,
  day TEXT NOT NULL, begins INTEGER NOT NULL, minutes INTEGER NOT NULL, place TEXT NOT NULL, zone TEXT NOT NULL) STRICT;
CREATE INDEX bookings_day ON bookings (account, day);
CREATE TABLE bills (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, number TEXT NOT NULL, payer INTEGER NOT NULL,
  lines TEXT NOT NULL, memo TEXT NOT NULL, cents INTEGER NOT NULL, settled INTEGER NOT NULL, money TEXT NOT NULL,
  due_day TEXT NOT NULL, key TEXT NOT NULL UNIQUE, made INTEGER NOT NULL, sent INTEGER) STRICT;
CREATE INDEX bills_account ON bills (account, serial);
CREATE TABLE mails (serial INTEGER PRIMARY KEY, account TEXT NOT NULL, batch TEXT NOT NULL, kind TEXT NOT NULL,
  recipient TEXT NOT NULL, subject TEXT NOT NULL, words TEXT NOT NULL, about TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX mails_account ON mails (account, serial);
CREATE INDEX mails_about ON mails (about);
`
