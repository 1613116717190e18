-- What a server was asked to do. It can be made from nothing else, so it is a file of its own.
CREATE TABLE jobs (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id     TEXT NOT NULL UNIQUE,
    owner      TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'ended', 'failed', 'cancelled', 'interrupted')),
    -- As it was given, for whoever starts it.
    request    TEXT NOT NULL,
    -- What it goes on from, where it was put away.
    snapshot   TEXT,
    -- Why it did not run, or what became of it, in one sentence.
    words      TEXT,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at   TEXT
) STRICT;

CREATE INDEX jobs_by_state ON jobs (state, number);

CREATE TABLE job_keys (
    owner      TEXT NOT NULL,
    key        TEXT NOT NULL,
    body       TEXT NOT NULL,
    run_id     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

-- Settings that were changed on the running instance.
CREATE TABLE toggles (
    name       TEXT PRIMARY KEY,
    value      TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Calls to tell somebody that a run has ended.
CREATE TABLE webhooks (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id   TEXT NOT NULL,
    url      TEXT NOT NULL,
    body     TEXT NOT NULL,
    tries    INTEGER NOT NULL DEFAULT 0,
    -- Seconds since 1970; NULL once it was delivered or given up.
    due_at   INTEGER,
    outcome  TEXT
) STRICT;

CREATE INDEX webhooks_due ON webhooks (due_at) WHERE due_at IS NOT NULL;
