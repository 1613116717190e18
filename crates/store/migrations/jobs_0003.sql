-- The settings that were changed on the instance when the run began: one that goes on later keeps them.
ALTER TABLE jobs ADD COLUMN toggles TEXT;

-- Lists go by the moment, and what waits comes before everything that has begun.
CREATE INDEX jobs_by_place ON jobs (
    (CASE WHEN state = 'queued' THEN '9999-' || created_at ELSE COALESCE(started_at, created_at) END), run_id
);
CREATE INDEX jobs_by_owner ON jobs (
    owner, (CASE WHEN state = 'queued' THEN '9999-' || created_at ELSE COALESCE(started_at, created_at) END), run_id
);
