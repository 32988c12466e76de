/** Two tenants in two tables that are related, and a model of what the tables must hold. */
import { column, type Database, many, one, SqlError, type Transaction, table } from "rowtype";
import { z } from "zod";

export const SLUGS: readonly string[] = ["a", "b", "c", "d"];

const id = () => column(z.int(), { primaryKey: true, generated: true });

const tasks = table(
  "tasks",
  z.object({
    id: id(),
    tenantId: column(z.int(), { name: "tenant_id" }),
    slug: z.string(),
    n: z.int().nullable(),
  }),
  { unique: [["tenantId", "slug"]], relations: { notes: many("notes", "taskId") } },
);

// A note of one tenant may name a task of the other.
const notes = table(
  "notes",
  z.object({
    id: id(),
    tenantId: column(z.int(), { name: "tenant_id" }),
    taskId: column(z.int(), { name: "task_id" }),
    n: z.int(),
    tag: z.string().nullable(),
  }),
  { relations: { task: one("tasks", "taskId") } },
);

export const tables = { tasks, notes };

export type TaskRow = z.infer<typeof tasks.schema>;
export type NoteRow = z.infer<typeof notes.schema>;
/** A task and a note without the key that the server gives them. */
export type Task = Omit<TaskRow, "id">;
export type Note = Omit<NoteRow, "id">;

// One of the servers stands for all in the types: what these programs call, every one has.
const on = (db: Database | Transaction) => (db as unknown as Database<"sqlite">).repositories(tables);

/** The repositories of both tables, whole. */
export type Whole = ReturnType<typeof on>;
export const wholeOf: (db: Database | Transaction) => Whole = on;

function scopesOf(db: Database | Transaction, tenantId: number) {
  const whole = on(db);
  return { tasks: whole.tasks.scope({ tenantId }), notes: whole.notes.scope({ tenantId }) };
}

/** The repositories of what one tenant has. */
export type Scopes = ReturnType<typeof scopesOf>;
export const scopesIn: (db: Database | Transaction, tenantId: number) => Scopes = scopesOf;

const byTask = (one: Task, other: Task) =>
  one.tenantId - other.tenantId || (one.slug < other.slug ? -1 : Number(one.slug > other.slug));
const byNote = (one: Note, other: Note) =>
  one.tenantId - other.tenantId || one.taskId - other.taskId || one.n - other.n;

/** Tasks in one order, without keys. */
export function plainTasks(rows: readonly Task[]): Task[] {
  return rows.map(({ tenantId, slug, n }) => ({ tenantId, slug, n })).sort(byTask);
}

/** Notes in one order, without keys. */
export function plainNotes(rows: readonly Note[]): Note[] {
  return rows.map(({ tenantId, taskId, n, tag }) => ({ tenantId, taskId, n, tag })).sort(byNote);
}

/** What the tables must hold: tasks by tenant and slug; every note has a number of its own. */
export class Model {
  tasks = new Map<string, Task>();
  notes = new Map<number, Note>();

  copy(): Model {
    const copy = new Model();
    copy.tasks = new Map(this.tasks);
    copy.notes = new Map(this.notes);
    return copy;
  }

  become(other: Model): void {
    this.tasks = other.tasks;
    this.notes = other.notes;
  }

  tasksOf(tenantId: number): Task[] {
    return plainTasks([...this.tasks.values()].filter((row) => row.tenantId === tenantId));
  }

  notesOf(tenantId: number): Note[] {
    return plainNotes([...this.notes.values()].filter((row) => row.tenantId === tenantId));
  }

  put(row: Task): void {
    this.tasks.set(`${row.tenantId}/${row.slug}`, row);
  }

  has({ tenantId, slug }: Pick<Task, "tenantId" | "slug">): boolean {
    return this.tasks.has(`${tenantId}/${slug}`);
  }

  remove(rows: readonly Task[]): void {
    for (const row of rows) this.tasks.delete(`${row.tenantId}/${row.slug}`);
  }

  putNote(row: Note): void {
    this.notes.set(row.n, row);
  }

  removeNotes(rows: readonly Note[]): void {
    for (const row of rows) this.notes.delete(row.n);
  }
}

/** What one step of a program sees. */
export interface World {
  readonly db: Database;
  readonly whole: Whole;
  readonly scope: Scopes;
  readonly tenantId: number;
  readonly other: number;
  readonly model: Model;
  /** All tasks, with the keys that the server gave them. */
  readonly all: readonly TaskRow[];
  /** A number that no note has had. */
  readonly fresh: () => number;
}

export type Step = (world: World) => Promise<void>;

export const upTo = (most: number): number => Math.floor(Math.random() * most);
export const maybe = (): boolean => Math.random() < 0.5;

export function any<T>(list: readonly T[]): T {
  const one = list[upTo(list.length)];
  if (one === undefined) throw new Error("a choice of nothing");
  return one;
}

/** What a call was refused with, where it was refused by rowtype. */
export function refused(error: unknown): SqlError {
  if (error instanceof SqlError) return error;
  throw error;
}
