/** A database whose real time stands still, for what must be the same at every hour at which it is run. */
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Creates a migrated database of a sandbox at a moment in Unix seconds. Only the clock of the sandbox moves. */
export async function createStillDatabase(moment: number): Promise<TestDatabase> {
  const database = await createTestDatabase()
  const client = new pg.Client({ ...database.target })
  await client.connect()
  await client.query(`
    create or replace function bourse_real_now() returns numeric language sql as 'select ${moment}::numeric';
    insert into installation (id, mode, created_at) values ('examples', 'sandbox', ${moment})`)
  await client.end()
  return database
}
