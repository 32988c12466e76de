/** The classic reports over the store, each one query. */
import { count, countDistinct, dateTrunc, mul, sum } from "rowtype";
import type { StoreDatabase } from "./data.js";
import * as tables from "./tables.js";

/** Makes the reports on a database. */
export function makeReports(db: StoreDatabase) {
  const store = db.repositories(tables);

  /** The customers who have paid most. */
  const topCustomers = store.customers
    .query()
    .join("invoices")
    .fields("id", "name", "country", sum("invoices.total").as("revenue"), count("invoices.id").as("bought"))
    .groupBy("id", "name", "country")
    .orderBy("revenue", "desc")
    .orderBy("id", "asc")
    .limitParam("limit");

  /** How many tracks of each genre a playlist has. */
  const genresOfPlaylists = store.playlistTracks
    .query()
    .join("playlist")
    .join("track")
    .leftJoin("track.genre")
    .fields("playlist.name", "genre.name", count().as("tracks"))
    .groupBy("playlist.name", "genre.name")
    .orderBy("playlist.name", "asc")
    .orderBy("tracks", "desc");

  /** What was sold in each country and month. */
  const month = dateTrunc("month", "billedAt");
  const salesByMonth = store.invoices
    .query()
    .fields("country", month.as("month"), sum("total").as("revenue"), count().as("invoices"))
    .groupBy("country", month)
    .orderBy("country", "asc")
    .orderBy("month", "asc");

  /** Who works for whom. */
  const staff = store.employees
    .query()
    .leftJoin("manager")
    .fields("id", "name", "title", "manager.id", "manager.name")
    .orderBy("id", "asc");

  /** The genres by revenue, to the cent. */
  const genresByRevenue = store.invoiceLines
    .query()
    .join("track")
    .join("track.genre")
    .fields(
      "genre.name",
      sum(mul("price", "quantity")).as("revenue"),
      countDistinct("invoiceId").as("invoices"),
    )
    .groupBy("genre.name")
    .orderBy("revenue", "desc");

  return { topCustomers, genresOfPlaylists, salesByMonth, staff, genresByRevenue };
}
