/** The line above the board: what runs, what ends next, what waits and why, and how long the money lasts. */
import type { Sku } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useList, useRead } from '../live/queries.ts'
import type { OpenTicket } from '../market/book/trade-link.tsx'
import { TradeLink } from '../market/book/trade-link.tsx'
import { openStates } from '../market/orders/order.rules.ts'
import { findSku, skuName } from '../market/sku.rules.ts'
import { Age, Moment, Money } from '../ui/values.tsx'
import styles from './home.module.css'
import { allocationSteps, counted, lastsText, type NextBegin, type NextEnd, nextBegin, nextEnd } from './home.rules.ts'
import { useSpending } from './use-spending.ts'

/** Days below which the end of the money is a warning. */
const daysWarned = 3

type StatusLineProps = { skus: readonly Sku[]; onTrade: OpenTicket }

/** The line. Each sentence comes as soon as it is known. */
export function StatusLine({ skus, onTrade }: StatusLineProps) {
  const now = useNow(60)
  const pools = useList('list_pools', {}, { every: 30_000 })
  const end = nextEnd(pools.rows, now)
  const begin = nextBegin(pools.rows, now)
  return (
    <section className={styles.says} aria-label="What you have">
      {pools.isPending ? null : <Running owned={allocationSteps(pools.rows, now, now)[0]?.nodes ?? 0} />}
      {end ? <Ends end={end} sku={findSku(skus, end.sku)} now={now} onTrade={onTrade} /> : null}
      {begin ? <Begins begin={begin} sku={findSku(skus, begin.sku)} now={now} /> : null}
      <Waiting />
      <Resting />
      <Funds />
    </section>
  )
}

function Running({ owned }: { owned: number }) {
  const running = useList('list_instances', { state: 'running' })
  if (running.isPending || running.error) return null
  const { length } = running.rows
  if (length === 0)
    return <p>{owned === 0 ? 'Nothing runs.' : `Nothing runs on the ${counted(owned, 'node')} owned.`}</p>
  return (
    <p>
      <Link to="/instances" search={{ state: 'running' }}>
        {counted(length, 'instance', running.more.hasMore)}
      </Link>{' '}
      {length === 1 ? 'runs' : 'run'} on {counted(owned, 'node')}.
    </p>
  )
}

/** Seconds before an end in which nothing is estimated any more: the server may be past it. */
const lateSeconds = 120

type EndsProps = { end: NextEnd; sku: Sku | undefined; now: number; onTrade: OpenTicket }

/** What ends next, and what another hour of it costs. */
function Ends({ end: { pool, sku: id, at, lost }, sku, now, onTrade }: EndsProps) {
  const start_at = Math.ceil(at / 60) * 60
  const isBought = pool.kind === 'market' && sku !== undefined && start_at > now + lateSeconds
  const { data } = useRead(
    ['estimate', 'extension', id, start_at, lost],
    () => {
      const window = { start_at, duration_seconds: hourSeconds }
      return client.orders.createEstimate({ side: 'buy', sku: id as Sku['id'], ...window, node_count: lost })
    },
    { every: 30_000, retry: 1, enabled: isBought },
  )
  const price = data?.type === 'quoted' && data.total_dollars ? ` for ${moneyText(data.total_dollars)}` : ''
  const draft = {
    side: 'buy',
    sku: id,
    pool: pool.id,
    nodes: String(lost),
    start: String(start_at),
    end: String(start_at + hourSeconds),
  }
  return (
    <p>
      <b>
        <NodesOf count={lost} sku={sku} /> {lost === 1 ? 'ends' : 'end'} <Moment at={at} />
      </b>
      , <Age at={at} now={now} isRough />
      {isBought ? (
        <>
          :{' '}
          <TradeLink draft={draft} onTrade={onTrade}>
            extend 1 h{price}
          </TradeLink>
        </>
      ) : (
        '.'
      )}
    </p>
  )
}

/** A number of nodes, of a SKU where that is known. */
function NodesOf({ count, sku }: { count: number; sku: Sku | undefined }) {
  return (
    <>
      {counted(count, 'node')}
      {sku ? (
        <>
          {' '}
          of <bdi>{skuName(sku)}</bdi>
        </>
      ) : null}
    </>
  )
}

function Begins({ begin: { at, nodes }, sku, now }: { begin: NextBegin; sku: Sku | undefined; now: number }) {
  return (
    <p>
      <NodesOf count={nodes} sku={sku} /> {nodes === 1 ? 'begins' : 'begin'} <Moment at={at} />,{' '}
      <Age at={at} now={now} isRough />.
    </p>
  )
}

/** Instances that wait, of so many at most. */
const waitingMax = 100

function Waiting() {
  const { data } = useRead(
    ['instance', 'waiting'],
    async () => {
      const { data: waiting, has_more } = await client.instances.list({
        state: 'awaiting_allocation',
        limit: waitingMax,
      })
      const [first] = waiting
      if (!first) return undefined
      const { waiting: why, summary } = await client.instances.explain(first.id)
      return { count: waiting.length, has_more, reason: why?.reasons[0]?.message ?? summary }
    },
    { every: 30_000, retry: 1 },
  )
  if (!data) return null
  return (
    <p className="warn">
      <Link to="/instances" search={{ state: 'awaiting_allocation' }}>
        {counted(data.count, 'instance', data.has_more)}
      </Link>{' '}
      {data.count === 1 ? 'waits: ' : 'wait, the first one because: '}
      <bdi>{data.reason}</bdi>
    </p>
  )
}

function Resting() {
  const { rows, more } = useList('list_orders', { state: [...openStates], include_managed: 'true' })
  if (rows.length === 0) return null
  return (
    <p>
      <Link to="/orders">{counted(rows.length, 'order', more.hasMore)}</Link> {rows.length === 1 ? 'rests' : 'rest'} in
      the books.
    </p>
  )
}

function Funds() {
  const { available, left, now } = useSpending()
  if (available === undefined) return null
  const lasts = lastsText(left, now)
  return (
    <p className={left !== undefined && left < daysWarned ? 'warn' : undefined}>
      <Link to="/money">
        <Money dollars={available} />
      </Link>{' '}
      {lasts === '' ? 'available.' : `${lasts}.`}
    </p>
  )
}
