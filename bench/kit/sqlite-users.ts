/** The users that the benches of SQLite read. */
import type { Database } from "rowtype";
import { User } from "./shapes.js";

/** The fields that SQLite gives as they are. */
export const plain = ["id", "email", "name", "age", "role", "teamId", "score"] as const;

/** Creates the table with so many users, and gives their repository. */
export async function storedUsers(db: Database<"sqlite">, count: number) {
  await db.createTables(User);
  const users = db.repository(User);
  await users.insert().execBatch(
    Array.from({ length: count }, (_, i) => ({
      email: `user${i}@example.org`,
      name: `User ${i}`,
      age: i % 7 === 0 ? null : 20 + (i % 50),
      role: i % 3 === 0 ? ("admin" as const) : ("member" as const),
      teamId: i % 5,
      score: i / 2,
      active: i % 2 === 0,
    })),
  );
  return users;
}
