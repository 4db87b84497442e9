-- The release before asks where it was switched off for one key alone.
DROP TABLE key_switches;
