/** A function that takes a part of a database takes a transaction, and one that takes a part of that takes a database. */
import { column, type Database, type Dialect, type Transaction, table } from "rowtype";
import { z } from "zod";

const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() }));

declare const database: Database<"sqlite">;
declare const tx: Transaction<"sqlite">;
declare const other: Database<"postgres">;
declare const otherTx: Transaction<"postgres">;

const itemsOf = (db: Pick<Database<"sqlite">, "repository">) => db.repository(Item);
itemsOf(database).query().exec();
itemsOf(tx).query().exec();
database.transaction(async (inner) => itemsOf(inner).insert().exec({ id: 1, n: 1 }));
tx.transaction(async (inner) => itemsOf(inner).insert().exec({ id: 1, n: 1 }));

const moduleOf = (db: Pick<Transaction<"sqlite">, "repositories">) => db.repositories({ Item }).Item;
moduleOf(database).query().exec();
moduleOf(tx).query().exec();

type Part = "repository" | "repositories" | "sql" | "native" | "from" | "with" | "recursive" | "dialect";
const ofBoth = <D extends Dialect>(_: Pick<Database<D>, Part> & Pick<Transaction<D>, Part>) => undefined;
ofBoth<"sqlite">(database);
ofBoth<"sqlite">(tx);
ofBoth<"postgres">(other);
ofBoth<"postgres">(otherTx);

const named: readonly ((db: Pick<Database<"postgres">, "repository">) => unknown)[] = [
  (db) => db.repository(Item),
  (db: Pick<Transaction<"postgres">, "repository">) => db.repository(Item),
];
for (const one of named) {
  one(other);
  one(otherTx);
}
const places: readonly Pick<Transaction<"sqlite">, "repository">[] = [database, tx];
places.map((db) => db.repository(Item).query());
