-- A webhook is armed when its run is asked for and waits for the end of that run, so no end goes untold, whoever
-- brought it about.
ALTER TABLE webhooks ADD COLUMN state TEXT NOT NULL DEFAULT 'due'
    CHECK (state IN ('armed', 'due', 'delivered', 'given_up'));
-- Which ends it is for, separated by spaces; empty: all of them.
ALTER TABLE webhooks ADD COLUMN events TEXT NOT NULL DEFAULT '';
-- The end that it tells.
ALTER TABLE webhooks ADD COLUMN event TEXT;
-- The end (its time) that was told before this one was armed again: a run that was interrupted may go on.
ALTER TABLE webhooks ADD COLUMN after TEXT;
ALTER TABLE webhooks ADD COLUMN tried_at TEXT;

CREATE INDEX webhooks_by_run ON webhooks (run_id, number);
CREATE INDEX webhooks_armed ON webhooks (run_id) WHERE state = 'armed';
