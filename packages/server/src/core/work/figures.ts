/**
 * Figures about the whole database for `/metrics`. Each area defines groups of them as queries. A scrape costs one
 * statement for all groups together, on a connection for transactions: the readers stay free for tokens and the clock.
 *
 * A group of the scrape reads a number of rows that does not grow with accounts or history. What cannot be counted that
 * way is an hourly group: it is read with the audits, which read whole tables too.
 */
import type { Family } from '../base/exposition.ts'
import { type Database, type Statement, statement } from '../db/db.ts'

/** Some families, and the query that selects their samples: `family`, `label` (or null) and `value`. */
export type FigureGroup = { readonly families: readonly Family[]; readonly text: string }

/** A sample of a family. */
export type Figure = { readonly family: string; readonly label: string | null; readonly value: number }

/** The rows that a figure of the scrape counts at most, where it counts rows. */
export const countedMax = 10_000
/** The SKUs that a family names at most. */
export const namedSkusMax = 20

const beginReading = 'begin transaction read only'
const limitTime = statement<never>(null, "select set_config('statement_timeout', '1000', true)")

/** One statement that reads all groups. */
export function figuresStatement(groups: readonly FigureGroup[]): Statement<Figure> {
  const parts = groups.map(({ text }) => `(select family, label, value::double precision as value from (${text}) g)`)
  return statement<Figure>(null, parts.join('\nunion all\n'))
}

/** Reads groups within a second of the database's time. */
export async function readFigures(database: Database, groups: readonly FigureGroup[]): Promise<Figure[]> {
  const session = await database.session()
  let broken: Error | undefined
  try {
    await session.command(beginReading)
    await session.rows(limitTime)
    const found = await session.rows(figuresStatement(groups))
    await session.command('commit')
    return found
  } catch (error) {
    await session.command('rollback').catch((failed: Error) => {
      broken = failed
    })
    throw error
  } finally {
    session.release(broken)
  }
}

/** Figures of what is due, and of the histories of the database. `kinds` are those of the reconcilers. */
export function coreFigures(kinds: readonly string[]): FigureGroup[] {
  return [...dueFigures(kinds), historyFigures]
}

function dueFigures(kinds: readonly string[]): FigureGroup[] {
  const byKind = { label: 'kind', shown: kinds, rest: 'other', type: 'gauge' } as const
  return [
    {
      families: [
        {
          ...byKind,
          name: 'bourse_due_rows',
          help: `Work that is due now, of the ${countedMax} oldest rows.`,
        },
        {
          ...byKind,
          name: 'bourse_due_oldest_age_seconds',
          help: 'How long the oldest due work of a kind has waited: the lag of its reconciler.',
        },
      ],
      text: `with overdue as (
          select kind, due_at
          from due
          where due_at <= (select bourse_now())
          order by due_at
          limit ${countedMax}
        ), by_kind as (
          select kind, count(*) as due_rows, (select bourse_now()) - min(due_at) as age
          from overdue
          group by kind
        )
        select f.family, k.kind as label, f.value
        from by_kind k
        cross join lateral (
          values ('bourse_due_rows', k.due_rows), ('bourse_due_oldest_age_seconds', k.age)
        ) as f(family, value)`,
    },
    {
      families: [
        {
          ...byKind,
          name: 'bourse_due_failing_rows',
          help: `Work whose last step failed and is tried again later, ${countedMax} rows at most.`,
        },
      ],
      text: `select 'bourse_due_failing_rows' as family, kind as label, count(*) as value
        from (
          select kind
          from due
          where attempt > 0
          limit ${countedMax}
        ) failing
        group by kind`,
    },
  ]
}

const historyFigures: FigureGroup = {
  families: [
    {
      name: 'bourse_histories',
      type: 'gauge',
      help: 'Recorded histories of the database; each failover or restore begins one.',
    },
    {
      name: 'bourse_history_last_timestamp_seconds',
      type: 'gauge',
      help: 'When the last history after the first began; 0 if there was none.',
    },
    {
      name: 'bourse_history_last_loss_timestamp_seconds',
      type: 'gauge',
      help: 'When the last history began that is proved to lack commits; 0 if there was none.',
    },
  ],
  // A position that a server had read, or evidence without a failover, proves a loss.
  text: `select f.family, null as label, f.value
    from (
      select count(*) as histories,
        coalesce(max(recorded_at) filter (where reason <> 'first'), 0) as last_at,
        coalesce(max(recorded_at) filter (where reason = 'evidence' or number = lost.history), 0) as lost_at
      from histories
      cross join (
        select max(history) as history
        from history_positions
        where seen_position > position
      ) lost
    ) h
    cross join lateral (
      values ('bourse_histories', h.histories),
        ('bourse_history_last_timestamp_seconds', h.last_at),
        ('bourse_history_last_loss_timestamp_seconds', h.lost_at)
    ) as f(family, value)`,
}
