-- rowtype 1 · postgres · track-names
-- step create index track.track_name_idx (no transaction)
CREATE INDEX CONCURRENTLY "track_name_idx" ON "track" ("name")
