import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Db, type Statement, statement } from '../../src/core/db/db.ts'
import { listEventsBehind, listNewestEvents } from '../../src/events/log/account-logs.store.ts'
import type { DayRange } from '../../src/events/log/event-days.rules.ts'
import { listEvents } from '../../src/events/log/event-reading.store.ts'
import type { Visibility, WantedEvents } from '../../src/events/log/events.rules.ts'
import type { Server } from '../../src/server.ts'
import { sized } from '../support/size.ts'
import { startReplicas } from './replicas.ts'

const replicas = await startReplicas(1)
const [{ runtime }] = replicas.servers as [Server]
const { database } = runtime

// Twenty accounts, with one frequent and one rare kind of events, in a busy and a quiet workspace.
const fill = `insert into events
  (account_id, position, stored_on, occurred_at, id, action, target_type, target_id, workspace_id, body)
  select 'account-' || n % 20, n / 20 + 1, bourse_today(), 1000 + n / 100, 'evt_' || n,
    case when n % 1000 = 7 then 'rare' else 'frequent' end, case when n % 1000 = 7 then 'image' else 'instance' end,
    'inst_' || n / 60, case when n % 500 = 3 then 'quiet' else 'busy' end, repeat('x', 300)
  from generate_series(0, ${sized(100_000, 20_000)} - 1) n`

await database.asOwner(async (db) => {
  await db.run(statement(null, fill))
  await db.run(statement(null, 'vacuum analyze events'))
})

type EventPlan = {
  'Node Type': string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: EventPlan[]
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
}

function* nodesOf(plan: EventPlan): Iterable<EventPlan> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodesOf(child)
}

/** The plan of the last statement of `read`, with a generic plan as on the server's connections. */
async function explained(read: (db: Db) => Promise<unknown>): Promise<EventPlan> {
  let plan: EventPlan | undefined
  await database.asOwner(async (owner) => {
    const explain = async (wanted: Statement<unknown>, params: readonly unknown[] = []) => {
      const name = `plan_${wanted.name?.replace('.', '_')}`
      await owner.run(statement(null, 'set plan_cache_mode = force_generic_plan'))
      await owner.run(statement(null, `prepare ${name} as ${wanted.text}`))
      const values = params.map(literal).join(', ')
      const rows = await owner.rows(
        statement<{ 'QUERY PLAN': [{ Plan: EventPlan }] }>(
          null,
          `explain (analyze, format json) execute ${name}(${values})`,
        ),
      )
      plan = rows[0]?.['QUERY PLAN'][0].Plan
    }
    await read({
      rows: async (wanted, params) => {
        await explain(wanted, params)
        return []
      },
      row: async (wanted, params) => {
        await explain(wanted, params)
        return undefined
      },
      run: () => Promise.reject(new Error('A reader must not write.')),
    })
  })
  return plan as EventPlan
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array[${value.map((item) => `'${item}'`).join(',')}]::text[]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** Every read of events uses a range of an index and reads few rows that it does not return. */
function verify(plan: EventPlan, what: string): void {
  let read = 0
  for (const node of nodesOf(plan)) {
    if (node['Relation Name'] === undefined) continue
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    // The partitions of the next days are empty, so their plan does not matter.
    if (rows > 0) assert.match(node['Index Cond'] ?? 'none', /account_id/, `${what}: ${node['Node Type']}`)
    read += rows
  }
  assert.ok(read <= 300, `${what}: ${read} rows were read for a page of 51`)
}

const visibilities: Visibility[] = ['all', new Set(['', 'quiet'])]
const filters: WantedEvents[] = [
  {},
  { action: 'frequent' },
  { action: 'rare' },
  { action: 'none' },
  { target_type: 'instance' },
  { target_type: 'image' },
  { action: 'rare', target_type: 'image' },
  { target: 'inst_5' },
  { target: 'inst_5', action: 'frequent', target_type: 'instance' },
]

const allDays: DayRange = { from: '-infinity', to: 'infinity', workspaces: [], unknown_from: '-infinity' }
const today: DayRange = {
  from: 'yesterday',
  to: 'tomorrow',
  workspaces: ['', 'busy', 'quiet'],
  unknown_from: undefined,
}

async function verifyAll(ranges: readonly DayRange[]): Promise<void> {
  for (const visibility of visibilities) {
    for (const wanted of filters) {
      for (const after of [
        { occurred_at: 0, position: 0 },
        { occurred_at: 1500, position: 2500 },
      ]) {
        const range = { after, until: Number.MAX_SAFE_INTEGER }
        for (const days of ranges) {
          const plan = await explained((db) =>
            listEvents(db, 'account-3', range, { wanted, visibility, limit: 51, days }),
          )
          verify(
            plan,
            JSON.stringify({ wanted, visibility: visibility === 'all' ? visibility : [...visibility], after, days }),
          )
        }
      }
    }
  }
}

test('every page is a range of an index, for all filters and rights', () => verifyAll([allDays, today]))

test('the newest events, and the events after a place, are a range of an index', async () => {
  verify(await explained((db) => listNewestEvents(db, 'account-3', 128)), 'newest')
  verify(
    await explained((db) => listEventsBehind(db, 'account-3', { occurred_at: 1990, position: 4990 }, 1000)),
    'after',
  )
})

test('a filtered page reads no more rows if an index without its filter column is smaller', async () => {
  const fillMany = `insert into events
    (account_id, position, stored_on, occurred_at, id, action, target_type, target_id, workspace_id, body)
    select 'many-' || n % 250, n / 250 + 1, bourse_today(), 1000 + n / 100, 'evt_' || n, 'frequent', 'instance',
      'inst_' || n / 60, 'wksp-' || n % 250, repeat('x', 300)
    from generate_series(0, ${sized(100_000, 20_000)} - 1) n`
  await database.asOwner(async (db) => {
    await db.run(statement(null, 'truncate events'))
    await db.run(statement(null, fillMany))
    await db.run(statement(null, 'vacuum analyze events'))
  })
  const range = { after: { occurred_at: 0, position: 0 }, until: Number.MAX_SAFE_INTEGER }
  for (const workspaces of [['wksp-3'], ['', 'wksp-3']]) {
    for (const wanted of [{ action: 'none' }, { target_type: 'none' }, { action: 'frequent' }, { target: 'inst_5' }]) {
      for (const unknown_from of [undefined, 'tomorrow']) {
        const days = { from: 'yesterday', to: 'tomorrow', workspaces, unknown_from }
        const page = { wanted, visibility: 'all', limit: 51, days } as const
        verify(await explained((db) => listEvents(db, 'many-3', range, page)), JSON.stringify({ wanted, days }))
      }
    }
  }
})
