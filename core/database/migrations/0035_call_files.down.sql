-- A release before 0035 would send the addresses of files in the place of the files.
DO $$ BEGIN
  IF EXISTS (SELECT FROM call_files f JOIN calls c ON c.id = f.call_id WHERE c.status IN ('awaiting_confirmation', 'running')) THEN
    RAISE EXCEPTION 'calls with files have not ended yet: let them be decided and sent, or cancel them';
  END IF;
END $$;
DROP TRIGGER files_ended ON calls;
DROP FUNCTION forget_files();
DROP FUNCTION keep_files(text, text[], bytea[], bytea[], bigint);
DROP TABLE call_files;
