CREATE TABLE runs (
    run_id             TEXT PRIMARY KEY,
    task               TEXT NOT NULL,
    brain              TEXT NOT NULL,
    start_url          TEXT,
    started_at         TEXT NOT NULL,
    ended_at           TEXT,
    state              TEXT NOT NULL CHECK (state IN ('running', 'ended', 'interrupted')),
    termination_reason TEXT,
    success            INTEGER,
    final_verdict      TEXT,
    steps              INTEGER NOT NULL DEFAULT 0,
    duration_s         REAL,
    cost               REAL,
    pid                INTEGER,
    pid_start          INTEGER,
    bytes              INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX runs_by_start ON runs (started_at DESC, run_id DESC);
