-- How often a server ended between taking a run and its first event.
ALTER TABLE jobs ADD COLUMN false_starts INTEGER NOT NULL DEFAULT 0;
