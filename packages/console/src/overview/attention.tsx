/** What needs somebody: instances that end soon or failed, tokens that expire, webhooks that fail. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { callList } from '../live/operations.ts'
import { useRead } from '../live/queries.ts'
import { Age } from '../ui/values.tsx'
import styles from './overview.module.css'
import { inOrderOfEnd, noticedFirst } from './overview.rules.ts'

/** Seconds before its end from which a token is named. */
const tokenNotice = 14 * daySeconds
const shownMax = 10
/** Seconds for which a notice can be open: 600 before the end at the most, and the time until it was read. */
const longestNotice = hourSeconds
/** Notices of that time that are looked at, and instances among them. */
const noticesMax = 2_000
const namedMax = 100
/** Notices, withdrawals and ends read it again at once; the clock of a sandbox may pass them by. */
const pace = { every: 30_000 }

/** The card, only where something needs attention. */
export function Attention() {
  const now = useNow()
  const failed = useRead(
    ['attention', 'failed'],
    () => client.instances.list({ state: 'failed', limit: shownMax }),
    pace,
  )
  const ending = useRead(['attention', 'ending'], () => readEnding(now), pace)
  const tokens = useRead(['token', 'expiring'], () => client.tokens.list({ kind: 'service', limit: 100 }), {
    every: 300_000,
  })
  const webhooks = useRead(['webhook', 'failing'], () => client.webhooks.list({ limit: 100 }))
  const lines: ReactNode[] = [
    ...(ending.data?.shown ?? []).map(({ id, name, deadline_at }) => (
      <li key={`ending ${id}`}>
        <To path="/instances/$id" id={id}>
          {name}
        </To>{' '}
        ends {deadline_at === null ? 'soon' : <Age at={deadline_at} now={now} />}
      </li>
    )),
    ...(ending.data?.more ? [<li key="ending more">and {ending.data.more} more end soon</li>] : []),
    ...(failed.data?.data ?? []).map(({ id, name }) => (
      <li key={`failed ${id}`}>
        <To path="/instances/$id" id={id}>
          {name}
        </To>{' '}
        failed: replace or terminate it
      </li>
    )),
    ...(tokens.data?.data ?? [])
      .filter(({ expires_at }) => expires_at !== null && expires_at > now && expires_at < now + tokenNotice)
      .map(({ id, name, expires_at }) => (
        <li key={`token ${id}`}>
          Token {name} expires <Age at={expires_at as number} now={now} />
        </li>
      )),
    ...(webhooks.data?.data ?? [])
      .filter(
        ({ state, disabled_reason }) => state === 'failing' || (state === 'disabled' && disabled_reason !== 'user'),
      )
      .map(({ id, url, state }) => (
        <li key={`webhook ${id}`}>
          <To path="/webhooks/$id" id={id}>
            {url}
          </To>{' '}
          is {state}
        </li>
      )),
  ]
  if (lines.length === 0) return null
  return (
    <section className="card" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className={styles.list}>{lines}</ul>
    </section>
  )
}

function To({ path, id, children }: { path: '/instances/$id' | '/webhooks/$id'; id: string; children: ReactNode }) {
  return (
    <Link to={path} params={{ id }}>
      {children}
    </Link>
  )
}

/** The instances that got notice and still run: those that end first, and how many others. */
async function readEnding(now: number) {
  const query = { action: 'instance.termination_imminent', since: now - longestNotice, limit: 200 } as const
  const notices = await client.events.list(query).all({ max: noticesMax })
  const ids = [...new Set(notices.toReversed().flatMap(({ targets }) => targets.map(({ id }) => id)))]
  if (ids.length === 0) return { shown: [], more: 0 }
  const { data } = await callList('list_instances', { id: ids.slice(0, namedMax) }, { limit: namedMax })
  const running = data.filter(({ state }) => state !== 'terminated')
  const { shown, more } = noticedFirst(running, ids, shownMax)
  const explained = await Promise.all(shown.map(({ id }) => client.instances.explain(id)))
  return {
    shown: inOrderOfEnd(shown.map((one, index) => ({ ...one, termination: explained[index]?.termination ?? null }))),
    more,
  }
}
