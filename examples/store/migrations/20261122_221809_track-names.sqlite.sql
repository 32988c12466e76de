-- rowtype 1 · sqlite · track-names
-- step create index track.track_name_idx
CREATE INDEX "track_name_idx" ON "track" ("name")
