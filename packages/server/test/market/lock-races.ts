/** Races for a lock: a transaction that holds it until requests wait for it. */
import assert from 'node:assert/strict'
import { eventually } from '../../../../test/eventually.ts'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Ctx } from '../../src/core/work/ctx.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'

/** What the holder of a lock does: to get it, and as its last act before it commits. */
export type LockHolder = {
  readonly lock: (ctx: Ctx) => Promise<unknown>
  readonly end?: (ctx: Ctx) => Promise<unknown>
}

const blocked = statement<{ pid: number }>(
  null,
  'select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
)

/** The answers to requests that all wait for a lock before its holder commits. Fails if one comes before that. */
export async function answersBehind<T>(
  runtime: Runtime,
  { lock, end = async () => {} }: LockHolder,
  ask: () => readonly Promise<T>[],
): Promise<T[]> {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = systemCommand(runtime, async (ctx) => {
    await lock(ctx)
    held.resolve()
    await free.promise
    await end(ctx)
  })
  try {
    await Promise.race([held.promise, holder])
    const asked = ask()
    let isAnswered = false
    for (const one of asked) void one.catch(() => {}).then(() => (isAnswered = true))
    await eventually(`${asked.length} requests wait for the lock, or one is answered`, async () => {
      const waiting = await runtime.database.reader.rows(blocked)
      assert.ok(isAnswered || waiting.length >= asked.length, `${waiting.length} wait`)
      return true
    })
    const isWaiting = !isAnswered
    free.resolve()
    await holder
    const answers = await Promise.all(asked)
    assert.ok(isWaiting, `requests did not wait for the lock: ${JSON.stringify(answers)}`)
    return answers
  } finally {
    free.resolve()
  }
}
