/** Five figures of the market and its money, each with what it is of. */
import { countText, exactMoney, moneyText, untilText } from '@bourse/text/formats/short.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAll } from '../../live/all.ts'
import { useNow, useTick } from '../../live/clock.ts'
import { monthOf } from '../../live/months.rules.ts'
import { sumOf } from '../../money/sums.rules.ts'
import { AuditBadge } from '../health.tsx'
import { auditsOf, requestRates } from '../metrics.rules.ts'
import { useFigures } from '../use-figures.ts'
import styles from './desk.module.css'
import { type Rack, soldWithin } from './racks.rules.ts'
import { useDays } from './turnover.tsx'

/** The tiles. */
export function Tiles({ racks }: { racks: readonly Rack[] | undefined }) {
  return (
    <div className={styles.tiles}>
      <Sold />
      <TurnoverToday />
      <Balances />
      <Running racks={racks} />
      <Server />
    </div>
  )
}

type TileProps = { name: string; value: string | undefined; exact?: string | undefined; children?: ReactNode }

function Tile({ name, value, exact, children }: TileProps) {
  return (
    <section className={styles.tile} aria-label={name}>
      <span className="quiet">{name}</span>
      <b title={exact}>{value ?? '–'}</b>
      <span className="quiet">{children}</span>
    </section>
  )
}

function Sold() {
  const now = useNow(60)
  const pools = useAll('list_platform_pools', {}, { every: 30_000 })
  const { sold, all } = soldWithin(pools.data ?? [], now, 24)
  return (
    <Tile name="Sold, next 24 h" value={pools.data && `${all === 0 ? 0 : Math.round((100 * sold) / all)} %`}>
      of {countText(Math.round(all))} node-hours
    </Tile>
  )
}

function TurnoverToday() {
  const month = monthOf(useNow(60))
  const revenue = useAll('list_revenue', { from: month, to: month }, { every: 60_000 })
  const today = useDays().at(-1)?.dollars
  const fees = revenue.data && sumOf(revenue.data.map((row) => row.fees_dollars))
  return (
    <Tile name="Turnover today" value={today && moneyText(today)} exact={today && exactMoney(today)}>
      <Link to="/operator" search={{ tab: 'revenue' }}>
        fees {fees === undefined ? '–' : moneyText(fees)} this month
      </Link>
    </Tile>
  )
}

function Balances() {
  const accounts = useAll('list_accounts', {}, { every: 60_000 })
  const customers = accounts.data?.filter(({ is_platform }) => !is_platform)
  const total = customers && sumOf(customers.map(({ balance }) => balance.total_dollars))
  const held = customers && sumOf(customers.map(({ balance }) => balance.held_dollars))
  return (
    <Tile name="Kept for customers" value={total && moneyText(total)} exact={total && exactMoney(total)}>
      <Link to="/operator" search={{ tab: 'accounts' }}>
        {held === undefined ? '–' : moneyText(held)} of it held for open buys
      </Link>
    </Tile>
  )
}

function Running({ racks }: { racks: readonly Rack[] | undefined }) {
  const running = racks?.reduce((sum, rack) => sum + rack.running, 0)
  const slots = racks?.reduce((sum, rack) => sum + rack.slots, 0)
  const waiting = useFigures().data?.history.at(-1)?.waiting
  return (
    <Tile name="Instances on hosts" value={running === undefined ? undefined : countText(running)}>
      of {countText(slots ?? 0)} slots{waiting ? `, ${countText(waiting)} wait` : ''}
    </Tile>
  )
}

function Server() {
  const now = useTick()
  const { data } = useFigures()
  if (!data) return <Tile name="Requests a second" value={undefined} />
  const rate = requestRates(data.history).at(-1)
  const audits = auditsOf(data.text)
  return (
    <Tile name="Requests a second" value={typeof rate === 'number' ? rate.toFixed(1) : undefined}>
      <Link to="/operator" search={{ tab: 'health' }}>
        <AuditBadge found={audits} />
        {audits.run_at === undefined ? '' : ` ${untilText(audits.run_at, now)}`}
      </Link>
    </Tile>
  )
}
