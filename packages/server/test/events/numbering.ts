/** Ways to number events: the correct one, and two mutants that the checker must find. */

import { mintId } from '../../src/core/base/ids.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { NewEvent } from '../../src/core/work/ctx.ts'
import { renderEvent } from '../../src/core/work/event-log.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'

/**
 * Writes events in one transaction, after `work`, which represents its other statements. Returns the transaction id.
 */
export type Append = (runtime: Runtime, events: readonly NewEvent[], work: () => Promise<void>) => Promise<string>

const random = createCryptoRandom()
const system = { type: 'system' } as const

/** The server's own way: increments the account's counter last and keeps it locked until the commit. */
export const byCounter: Append = async (runtime, events, work) =>
  systemCommand(runtime, async (ctx) => {
    const { xid } = (await ctx.db.row(readTransaction)) as { xid: string }
    await work()
    for (const event of events) ctx.emit(event)
    return xid
  })

const readTransaction = statement<{ xid: string }>(null, 'select pg_current_xact_id()::text as xid')
const insertEvent = statement<never>(
  null,
  `insert into events (account_id, position, stored_on, occurred_at, id, action, target_type, target_id,
     workspace_id, body)
   values ($1, $2, bourse_today(), $3, $4, $5, $6, $7, $8, $9 || $3::bigint || $10)`,
)
const drawNumber = statement<{ position: number }>(
  null,
  `update mutant_numbers
   set position = position + 1
   where account_id = $1
   returning position`,
)
const showNumber = statement<never>(
  null,
  `update event_counters
   set position = greatest(position, $2), occurred_at = greatest(occurred_at, $3)
   where account_id = $1`,
)
const readNow = statement<{ now: number; xid: string }>(
  null,
  'select bourse_now() as now, pg_current_xact_id()::text as xid',
)

/**
 * Numbers that are drawn outside of the transaction, like a sequence: the order of positions is not the commit order.
 */
function bySequence(shown: 'after_commit' | 'before_work'): Append {
  return async ({ database }, events, work) => {
    const session = await database.session()
    try {
      await session.command('begin')
      const { now, xid } = (await session.row(readNow)) as { now: number; xid: string }
      const numbers: number[] = []
      for (const { account_id } of events) {
        const { position } = (await database.reader.row(drawNumber, [account_id])) as { position: number }
        numbers.push(position)
        if (shown === 'before_work') await database.reader.run(showNumber, [account_id, position, now])
      }
      await work()
      for (const [i, event] of events.entries()) {
        const id = mintId('evt', now * 1000, random)
        const { head, tail } = renderEvent({ ...event, id }, system)
        const { account_id, action, target_type, target_id, workspace_id } = event
        const texts = [id, action, target_type, target_id, workspace_id, head, tail]
        await session.run(insertEvent, [account_id, numbers[i], now, ...texts])
      }
      await session.command('commit')
      if (shown === 'after_commit') {
        for (const [i, { account_id }] of events.entries())
          await database.reader.run(showNumber, [account_id, numbers[i], now])
      }
      return xid
    } finally {
      session.release()
    }
  }
}

/** A mutant: a bare sequence. */
export const byBareSequence: Append = bySequence('after_commit')
/** A mutant: the counter is incremented and visible before the work is done. */
export const byEarlyCounter: Append = bySequence('before_work')

/** Creates the table from which the mutants draw their numbers. */
export function prepareMutatedNumbers({ database }: Runtime): Promise<void> {
  return database.asOwner(async (db) => {
    await db.run(
      statement(
        null,
        'create table if not exists mutant_numbers (account_id text primary key, position bigint not null)',
      ),
    )
    await db.run(
      statement(
        null,
        'insert into mutant_numbers select account_id, position from event_counters on conflict do nothing',
      ),
    )
    await db.run(statement(null, 'grant select, update on mutant_numbers to bourse_app'))
  })
}
