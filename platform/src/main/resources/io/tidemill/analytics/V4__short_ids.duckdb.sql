-- Ids of crawled pages have 32 digits of their hash instead of 64 (C5.7): a page that is crawled again must find its item.
-- Where an older collector has stored the short id already, that is the newer version.
DELETE FROM items WHERE length(item_id) = 64 AND item_id = sha256(url)
  AND (project_id, platform, substr(item_id, 1, 32)) IN (SELECT project_id, platform, item_id FROM items WHERE length(item_id) = 32);

UPDATE items SET duplicate_of = substr(duplicate_of, 1, 32)
  WHERE length(duplicate_of) = 64 AND duplicate_of IN (SELECT item_id FROM items WHERE length(item_id) = 64 AND item_id = sha256(url));

UPDATE items SET item_id = substr(item_id, 1, 32) WHERE length(item_id) = 64 AND item_id = sha256(url);
