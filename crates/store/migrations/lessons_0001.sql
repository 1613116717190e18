CREATE TABLE lessons (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    -- Follows from rule and triggers; differs from the id where a merge changed them.
    identity     TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('candidate', 'promoted', 'suppressed', 'archived')),
    suppressed_by TEXT,
    suppressed_at INTEGER,
    origin       TEXT NOT NULL,
    task         TEXT NOT NULL,
    decided      INTEGER NOT NULL,
    reliability  REAL NOT NULL,
    mean_utility REAL NOT NULL,
    helpful      INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    -- What the lesson is filed under in lesson_terms; empty while it may not be found.
    terms        TEXT NOT NULL,
    body         TEXT NOT NULL
) STRICT;

CREATE INDEX lessons_by_identity ON lessons (identity);
CREATE INDEX lessons_by_age ON lessons (updated_at DESC);

CREATE TABLE lesson_triggers (
    trigger_text TEXT NOT NULL,
    origin       TEXT NOT NULL,
    lesson       INTEGER NOT NULL REFERENCES lessons (number) ON DELETE CASCADE,
    PRIMARY KEY (trigger_text, origin, lesson)
) STRICT, WITHOUT ROWID;

CREATE INDEX lesson_triggers_by_lesson ON lesson_triggers (lesson);

-- Only single terms are asked for, so neither positions nor the text are kept.
CREATE VIRTUAL TABLE lesson_terms USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);

CREATE TABLE lesson_events (
    number  INTEGER PRIMARY KEY,
    lesson  TEXT NOT NULL,
    run     TEXT NOT NULL,
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    utility REAL,
    body    TEXT NOT NULL
) STRICT;

CREATE INDEX lesson_events_by_run ON lesson_events (run, number);
CREATE INDEX lesson_events_by_lesson ON lesson_events (lesson, number);
CREATE INDEX lesson_events_by_kind ON lesson_events (kind, number);

-- Decided runs, for comparing later ones of the same task with them.
CREATE TABLE judged_runs (
    run    TEXT PRIMARY KEY,
    task   TEXT NOT NULL,
    origin TEXT NOT NULL,
    passed INTEGER NOT NULL,
    steps  INTEGER NOT NULL,
    score  REAL,
    at     INTEGER NOT NULL
) STRICT;

CREATE INDEX judged_runs_by_task ON judged_runs (origin, task, at DESC);

CREATE TABLE lesson_notes (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
