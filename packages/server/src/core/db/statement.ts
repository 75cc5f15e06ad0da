/** A statement and the type of its rows. A statement with a name is prepared once on each connection. */
export type Statement<R> = { readonly name: string | undefined; readonly text: string; readonly row?: R }

/** Runs statements. Calls without an await between them are sent together. */
export type Db = {
  rows<R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R[]>
  /** The only row, or undefined. */
  row<R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R | undefined>
  /** Returns the number of changed rows. */
  run(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number>
}

/** Defines a statement. Give it a name unless its text differs between calls. */
export function statement<R>(name: string | null, text: string): Statement<R> {
  return { name: name ?? undefined, text }
}
