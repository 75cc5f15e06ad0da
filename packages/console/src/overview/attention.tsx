/** What needs somebody: instances that end soon or failed, tokens that expire, webhooks that fail. */
import type { Webhook } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { callList } from '../live/operations.ts'
import { useRead } from '../live/queries.ts'
import { type OpenTicket, TradeLink } from '../market/book/trade-link.tsx'
import { Age } from '../ui/values.tsx'
import styles from './home.module.css'
import { type Ending, inOrderOfEnd, noticedFirst } from './home.rules.ts'

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

/** The list, only where something needs attention: each line with what can be done about it. */
export function Attention({ onTrade }: { onTrade: OpenTicket }) {
  const now = useNow()
  const lines = [...useEnding(now, onTrade), ...useFailed(), ...useExpiring(now), ...useFailingWebhooks()]
  if (lines.length === 0) return null
  return (
    <section className={styles.attention} aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul>{lines}</ul>
    </section>
  )
}

function useEnding(now: number, onTrade: OpenTicket): readonly ReactNode[] {
  const { data } = useRead(['attention', 'ending'], () => readEnding(now), pace)
  if (!data) return []
  const lines = data.shown.map((one) => (
    <Line key={one.id} action={<Extension of={one} onTrade={onTrade} />}>
      <To path="/instances/$id" id={one.id}>
        {one.name}
      </To>{' '}
      ends {one.deadline_at === null ? 'soon' : <Age at={one.deadline_at} now={now} />}
    </Line>
  ))
  if (data.more === 0) return lines
  const further = (
    <Line key="more that end" action={<Link to="/instances">See all</Link>}>
      and {data.more} more end soon
    </Line>
  )
  return [...lines, further]
}

function useFailed(): readonly ReactNode[] {
  const read = () => client.instances.list({ state: 'failed', limit: shownMax })
  const { data } = useRead(['attention', 'failed'], read, pace)
  return (data?.data ?? []).map(({ id, name }) => {
    const replace = (
      <Link to="/instances/$id" params={{ id }} search={{ dialog: 'replace' }}>
        Replace
      </Link>
    )
    return (
      <Line key={id} action={replace}>
        <To path="/instances/$id" id={id}>
          {name}
        </To>{' '}
        failed, and still uses its node
      </Line>
    )
  })
}

function useExpiring(now: number): readonly ReactNode[] {
  const read = () => client.tokens.list({ kind: 'service', limit: 100 })
  const { data } = useRead(['token', 'expiring'], read, { every: 300_000 })
  const another = (
    <Link to="/access" search={{ tab: 'tokens', create: '1' }}>
      Create another
    </Link>
  )
  return (data?.data ?? []).flatMap(({ id, name, expires_at }) => {
    if (expires_at === null || expires_at <= now || expires_at >= now + tokenNotice) return []
    return [
      <Line key={id} action={another}>
        Token <bdi>{name}</bdi> expires <Age at={expires_at} now={now} />
      </Line>,
    ]
  })
}

function useFailingWebhooks(): readonly ReactNode[] {
  const { data } = useRead(['webhook', 'failing'], () => client.webhooks.list({ limit: 100 }))
  const isFailing = ({ state, disabled_reason }: Webhook) => {
    return state === 'failing' || (state === 'disabled' && disabled_reason !== 'user')
  }
  return (data?.data ?? []).filter(isFailing).map(({ id, url, state }) => {
    const why = (
      <To path="/webhooks/$id" id={id}>
        See why
      </To>
    )
    return (
      <Line key={id} action={why}>
        Webhook <bdi>{url}</bdi> is {state}
      </Line>
    )
  })
}

function Line({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <li>
      <span>{children}</span>
      {action}
    </li>
  )
}

/** Another hour for an instance that ends, where its node was bought. */
function Extension({ of: { deadline_at, pool, sku }, onTrade }: { of: Ending; onTrade: OpenTicket }) {
  if (deadline_at === null || pool === null) return null
  const start = Math.ceil(deadline_at / 60) * 60
  const draft = {
    side: 'buy',
    sku: sku.id,
    pool: pool.id,
    nodes: '1',
    start: String(start),
    end: String(start + hourSeconds),
  }
  return (
    <TradeLink draft={draft} onTrade={onTrade}>
      Extend 1 h
    </TradeLink>
  )
}

function To({ path, id, children }: { path: '/instances/$id' | '/webhooks/$id'; id: string; children: ReactNode }) {
  return (
    <Link to={path} params={{ id }}>
      <bdi>{children}</bdi>
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
