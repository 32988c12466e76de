-- rowtype 1 · sqlite · catalogue
-- step create table artist
CREATE TABLE "artist" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  CONSTRAINT "artist_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "artist_name_key" UNIQUE ("name")
)
-- step create table album
CREATE TABLE "album" (
  "id" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "artist_id" INTEGER NOT NULL,
  CONSTRAINT "album_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "album_artist_id_fkey" FOREIGN KEY ("artist_id") REFERENCES "artist" ("id")
)
-- step create index album.album_artist_id_idx
CREATE INDEX "album_artist_id_idx" ON "album" ("artist_id")
-- step create table genre
CREATE TABLE "genre" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  CONSTRAINT "genre_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "genre_name_key" UNIQUE ("name")
)
-- step create table media_type
CREATE TABLE "media_type" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  CONSTRAINT "media_type_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "media_type_name_key" UNIQUE ("name")
)
-- step create table track
CREATE TABLE "track" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "album_id" INTEGER,
  "media_type_id" INTEGER NOT NULL,
  "genre_id" INTEGER,
  "composer" TEXT,
  "milliseconds" INTEGER NOT NULL,
  "unit_price" INTEGER NOT NULL,
  CONSTRAINT "track_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "track_unit_price_check" CHECK (typeof("unit_price") IN ('integer', 'null') AND "unit_price" / 100 BETWEEN -99999999 AND 99999999),
  CONSTRAINT "track_album_id_fkey" FOREIGN KEY ("album_id") REFERENCES "album" ("id"),
  CONSTRAINT "track_media_type_id_fkey" FOREIGN KEY ("media_type_id") REFERENCES "media_type" ("id"),
  CONSTRAINT "track_genre_id_fkey" FOREIGN KEY ("genre_id") REFERENCES "genre" ("id")
)
-- step create index track.track_album_id_idx
CREATE INDEX "track_album_id_idx" ON "track" ("album_id")
-- step create index track.track_genre_id_idx
CREATE INDEX "track_genre_id_idx" ON "track" ("genre_id")
-- step create table playlist
CREATE TABLE "playlist" (
  "id" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  CONSTRAINT "playlist_pkey" PRIMARY KEY ("id")
)
-- step create table playlist_track
CREATE TABLE "playlist_track" (
  "playlist_id" INTEGER NOT NULL,
  "track_id" INTEGER NOT NULL,
  CONSTRAINT "playlist_track_pkey" PRIMARY KEY ("playlist_id", "track_id"),
  CONSTRAINT "playlist_track_playlist_id_fkey" FOREIGN KEY ("playlist_id") REFERENCES "playlist" ("id"),
  CONSTRAINT "playlist_track_track_id_fkey" FOREIGN KEY ("track_id") REFERENCES "track" ("id")
)
-- step create index playlist_track.playlist_track_track_id_idx
CREATE INDEX "playlist_track_track_id_idx" ON "playlist_track" ("track_id")
