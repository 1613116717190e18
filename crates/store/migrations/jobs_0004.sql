-- What a list shows of a request. Requests may be large, and lists are read often.
ALTER TABLE jobs ADD COLUMN task TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN brain TEXT;
ALTER TABLE jobs ADD COLUMN start_url TEXT;
UPDATE jobs SET
    task = substr(COALESCE(json_extract(request, '$.instruction'), ''), 1, 2000),
    brain = json_extract(request, '$.brain'),
    start_url = json_extract(request, '$.start_url')
WHERE json_valid(request);
