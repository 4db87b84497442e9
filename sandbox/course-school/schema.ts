/** Times are Unix seconds, `ends` is a day such as 2026-12-31 in the school's zone, money is in hundredths. */
export const schema = `
CREATE TABLE schools (no INTEGER PRIMARY KEY, account TEXT NOT NULL UNIQUE, title TEXT NOT NULL, zone TEXT NOT NULL,
  currency TEXT NOT NULL, moderated INTEGER NOT NULL) STRICT;
CREATE TABLE courses (id INTEGER PRIMARY KEY, account TEXT NOT NULL, title TEXT NOT NULL, live INTEGER NOT NULL,
  permalink TEXT NOT NULL) STRICT;
CREATE INDEX courses_account ON courses (account);
CREATE TABLE chapters (id INTEGER PRIMARY KEY, course INTEGER NOT NULL, heading TEXT NOT NULL, pos INTEGER NOT NULL) STRICT;
CREATE INDEX chapters_course ON chapters (course);
CREATE TABLE lectures (id INTEGER PRIMARY KEY, account TEXT NOT NULL, course INTEGER NOT NULL, chapter INTEGER NOT NULL,
  title TEXT NOT NULL, live INTEGER NOT NULL, sample INTEGER NOT NULL, pos INTEGER NOT NULL, edited INTEGER NOT NULL) STRICT;
CREATE INDEX lectures_account ON lectures (account, id);
CREATE INDEX lectures_course ON lectures (course);
CREATE TABLE pieces (id INTEGER PRIMARY KEY, account TEXT NOT NULL, lecture INTEGER NOT NULL, kind TEXT NOT NULL,
  pos INTEGER NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX pieces_account ON pieces (account, id);
CREATE INDEX pieces_lecture ON pieces (lecture);
CREATE TABLE students (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, mail TEXT NOT NULL,
  joined INTEGER NOT NULL, UNIQUE (account, mail)) STRICT;
CREATE INDEX students_account ON students (account, joined, id);
CREATE TABLE enrolments (course INTEGER NOT NULL, student INTEGER NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY (course, student)) STRICT;
CREATE INDEX enrolments_student ON enrolments (student);
CREATE TABLE comments (id INTEGER PRIMARY KEY, account TEXT NOT NULL, course INTEGER NOT NULL, lecture INTEGER NOT NULL,
  author TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL, seen INTEGER NOT NULL, parent INTEGER,
  posted INTEGER NOT NULL) STRICT;
CREATE INDEX comments_account ON comments (account, posted, id);
CREATE TABLE plans (id INTEGER PRIMARY KEY, account TEXT NOT NULL, course INTEGER NOT NULL, title TEXT NOT NULL,
  cents INTEGER NOT NULL) STRICT;
CREATE INDEX plans_account ON plans (account, id);
CREATE TABLE coupons (id INTEGER PRIMARY KEY, account TEXT NOT NULL, label TEXT NOT NULL, code TEXT NOT NULL,
  tenths INTEGER, cents INTEGER, scope TEXT NOT NULL, type TEXT, plan INTEGER, ends TEXT, stock INTEGER,
  redeemed INTEGER NOT NULL, filed INTEGER NOT NULL) STRICT;
CREATE INDEX coupons_account ON coupons (account, id);
CREATE TABLE mailings (id INTEGER PRIMARY KEY, account TEXT NOT NULL, audience TEXT NOT NULL, course INTEGER,
  subject TEXT NOT NULL, message TEXT NOT NULL, uids TEXT NOT NULL, sent INTEGER NOT NULL) STRICT;
CREATE INDEX mailings_account ON mailings (account, id);
`
