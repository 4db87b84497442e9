-- Up Migration

-- What an app's answer lacked when its connector did not understand it: a rule, a field or a type, never what the app said.
ALTER TABLE calls ADD COLUMN changed_rule text CHECK (length(changed_rule) <= 300);
CREATE INDEX calls_changed ON calls (app, id DESC) WHERE changed_rule IS NOT NULL;
