/** What needs somebody: instances that end soon or failed, tokens that expire, webhooks that fail. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { Age } from '../ui/values.tsx'
import styles from './overview.module.css'

/** Seconds before its end from which a token is named. */
const tokenNotice = 14 * 86_400
const shownMax = 10

/** The card, only where something needs attention. */
export function Attention() {
  const now = useNow()
  const failed = useRead(['instance', 'failed'], () => client.instances.list({ state: 'failed', limit: shownMax }))
  const ending = useRead(['instance', 'ending'], () => readEnding(now))
  const tokens = useRead(['token', 'expiring'], () => client.tokens.list({ kind: 'service', limit: 100 }), {
    every: 300_000,
  })
  const webhooks = useRead(['webhook', 'failing'], () => client.webhooks.list({ limit: 100 }))
  const lines: ReactNode[] = [
    ...(ending.data ?? []).map(({ id, name, deadline_at }) => (
      <li key={`ending ${id}`}>
        <To path="/instances/$id" id={id}>
          {name}
        </To>{' '}
        ends {deadline_at === null ? 'soon' : <Age at={deadline_at} now={now} />}
      </li>
    )),
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

function To({ path, id, children }: { path: string; id: string; children: ReactNode }) {
  return (
    <Link to={path} params={{ id } as never}>
      {children}
    </Link>
  )
}

type Ending = { readonly id: string; readonly name: string; readonly deadline_at: number | null }

/** The instances that got notice within the last day and still run, with their deadlines. */
async function readEnding(now: number): Promise<Ending[]> {
  const since = now - 86_400
  const notices = await client.events.list({ action: 'instance.termination_imminent', since, limit: 100 })
  const ids = [...new Set(notices.data.flatMap(({ targets }) => targets.map(({ id }) => id)))].slice(-shownMax)
  if (ids.length === 0) return []
  const { data } = await client.instances.list({ id: ids as never })
  const live = data.filter(({ state }) => state !== 'terminated')
  const explained = await Promise.all(live.map(({ id }) => client.instances.explain(id)))
  return live
    .map(({ id, name }, index) => ({ id, name, deadline_at: explained[index]?.termination?.deadline_at ?? null }))
    .filter((_, index) => explained[index]?.termination?.notice_at != null)
}
