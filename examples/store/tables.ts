/**
 * The music store: eleven tables and their relations, after the Chinook sample database
 * (github.com/lerocha/chinook-database, MIT License). Names of exports are the names of relations' targets.
 */
import { column, decimal, many, one, table } from "rowtype";
import { z } from "zod";

const key = () => column(z.int(), { primaryKey: true });
/** Keys that the database gives. */
const numbered = () => column(z.int(), { primaryKey: true, generated: "byDefault" });
const name = z.string().min(1).max(200);
const email = z.email().max(60);

/** What a person and a company give alike. */
const address = {
  address: z.string().max(70).nullable(),
  city: z.string().max(40).nullable(),
  country: column(z.string().max(40).nullable(), { index: true }),
};

export const artists = table("artist", z.object({ id: key(), name: column(name, { unique: true }) }), {
  relations: { albums: many("albums", "artistId") },
});

export const albums = table(
  "album",
  z.object({
    id: key(),
    title: name,
    artistId: column(z.int(), { name: "artist_id", references: () => artists, index: true }),
    /** The media type of the picture that was uploaded, if there is one. */
    coverType: column(z.string().max(40).nullable(), { name: "cover_type" }),
  }),
  { relations: { artist: one("artists", "artistId"), tracks: many("tracks", "albumId") } },
);

export const genres = table("genre", z.object({ id: key(), name: column(name, { unique: true }) }), {
  relations: { tracks: many("tracks", "genreId") },
});

export const mediaTypes = table("media_type", z.object({ id: key(), name: column(name, { unique: true }) }), {
  relations: { tracks: many("tracks", "mediaTypeId") },
});

export const tracks = table(
  "track",
  z.object({
    id: key(),
    name: column(name, { index: true }),
    albumId: column(z.int().nullable(), { name: "album_id", references: () => albums, index: true }),
    mediaTypeId: column(z.int(), { name: "media_type_id", references: () => mediaTypes }),
    genreId: column(z.int().nullable(), { name: "genre_id", references: () => genres, index: true }),
    composer: z.string().max(220).nullable(),
    milliseconds: z.int().min(1),
    price: column(decimal(10, 2), { name: "unit_price" }),
  }),
  {
    relations: {
      album: one("albums", "albumId"),
      genre: one("genres", "genreId"),
      mediaType: one("mediaTypes", "mediaTypeId"),
      sales: many("invoiceLines", "trackId"),
      listings: many("playlistTracks", "trackId"),
      playlists: many("playlists", { through: "playlistTracks" }),
    },
  },
);

export const playlists = table("playlist", z.object({ id: key(), name }), {
  relations: {
    listings: many("playlistTracks", "playlistId"),
    tracks: many("tracks", { through: "playlistTracks" }),
  },
});

export const playlistTracks = table(
  "playlist_track",
  z.object({
    playlistId: column(z.int(), { name: "playlist_id", references: () => playlists }),
    trackId: column(z.int(), { name: "track_id", references: () => tracks, index: true }),
  }),
  {
    primaryKey: ["playlistId", "trackId"],
    relations: { playlist: one("playlists", "playlistId"), track: one("tracks", "trackId") },
  },
);

export const employees = table(
  "employee",
  z.object({
    id: key(),
    name,
    title: z.string().max(30),
    reportsTo: column(z.int().nullable(), { name: "reports_to", references: "employee(id)" }),
    hiredAt: column(z.date(), { name: "hired_at" }),
    email: column(email, { unique: true }),
    ...address,
  }),
  {
    relations: {
      manager: one("employees", "reportsTo"),
      reports: many("employees", "reportsTo"),
      customers: many("customers", "supportId"),
    },
  },
);

export const customers = table(
  "customer",
  z.object({
    id: key(),
    name,
    company: z.string().max(80).nullable(),
    email: column(email, { unique: true }),
    supportId: column(z.int().nullable(), { name: "support_id", references: () => employees, index: true }),
    ...address,
    // A customer who leaves stays in the books, and two who edit one do not overwrite each other.
    version: column(z.int(), { auto: "version" }),
    deletedAt: column(z.date().nullable(), { name: "deleted_at", auto: "deleted" }),
  }),
  { relations: { support: one("employees", "supportId"), invoices: many("invoices", "customerId") } },
);

export const invoices = table(
  "invoice",
  z.object({
    id: numbered(),
    customerId: column(z.int(), { name: "customer_id", references: () => customers, index: true }),
    billedAt: column(z.date(), { name: "billed_at", index: true }),
    country: column(z.string().max(40), { name: "billing_country" }),
    total: decimal(10, 2),
  }),
  { relations: { customer: one("customers", "customerId"), lines: many("invoiceLines", "invoiceId") } },
);

export const invoiceLines = table(
  "invoice_line",
  z.object({
    id: numbered(),
    invoiceId: column(z.int(), { name: "invoice_id", references: () => invoices, index: true }),
    trackId: column(z.int(), { name: "track_id", references: () => tracks, index: true }),
    price: column(decimal(10, 2), { name: "unit_price" }),
    quantity: z.int().min(1),
  }),
  { relations: { invoice: one("invoices", "invoiceId"), track: one("tracks", "trackId") } },
);
