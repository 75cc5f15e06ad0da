/** The operator's home: whether the market is open, whether the hosts are well, what waits, and what was earned. */
import type { Host } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAll } from '../live/all.ts'
import { useNow } from '../live/clock.ts'
import { useOpening } from '../live/lists/list-view.tsx'
import { monthOf } from '../live/months.rules.ts'
import { sumOf } from '../money/sums.rules.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Table } from '../ui/table.tsx'
import { Money } from '../ui/values.tsx'
import { hostColumns } from './hosts.tsx'
import { HaltText, useHalts } from './market.tsx'

const pace = { every: 10_000 }

/** The page. */
export function Desk() {
  const hosts = useAll('list_hosts', {}, pace)
  const sick = (hosts.data ?? []).filter(needsSomebody)
  return (
    <div className="stack">
      <MarketLine />
      <CreditsLine />
      <EarningsLine />
      <ErrorText error={hosts.error} />
      {hosts.data ? (
        <>
          <p className={sick.length === 0 ? 'good' : 'bad'}>
            {sick.length === 0
              ? `All of ${counted(hosts.data.length, 'host')} are well.`
              : `${sick.length} of ${counted(hosts.data.length, 'host')} need somebody.`}{' '}
            <TabLink tab="hosts">All hosts</TabLink>
          </p>
          {sick.length === 0 ? null : <HostTable hosts={sick} />}
        </>
      ) : null}
      <p>
        <Link to="/" search={{ view: 'account' }}>
          The account of the platform as a customer
        </Link>
      </p>
    </div>
  )
}

/** A host that does not report, or lacks something. Those that are leaving are silent by intent. */
function needsSomebody({ health, state }: Host): boolean {
  return health !== 'healthy' && state !== 'retired'
}

function HostTable({ hosts }: { hosts: readonly Host[] }) {
  const opening = useOpening<Host>('/operator/hosts/$id')
  return (
    <Table name="Hosts that need somebody" columns={hostColumns} rows={hosts} keyOf={({ id }) => id} {...opening} />
  )
}

function MarketLine() {
  const { data, error } = useHalts()
  if (!data) return <ErrorText error={error} />
  const whole = data.halts.find(({ sku }) => sku === null)
  const text = whole ? 'The whole market is halted.' : 'The market is open.'
  return (
    <>
      <p className={whole ? 'bad' : 'good'}>
        <b>{text}</b>{' '}
        {!whole && data.skus.length > 0 ? `${counted(data.skus.length, 'SKU')} halted on their own. ` : ''}
        <TabLink tab="market">Market</TabLink>
      </p>
      {whole ? <HaltText halt={whole} /> : null}
    </>
  )
}

function CreditsLine() {
  const { data } = useAll('list_pending_credits', { state: 'pending' }, pace)
  if (!data?.length) return null
  return (
    <p className="warn">
      {data.length === 1 ? '1 credit waits' : `${data.length} credits wait`} for a second operator.{' '}
      <TabLink tab="credits">Look</TabLink>
    </p>
  )
}

function EarningsLine() {
  const month = monthOf(useNow())
  const { data } = useAll('list_revenue', { from: month, to: month }, { every: 60_000 })
  if (!data) return null
  return (
    <p>
      This month: <Money dollars={sumOf(data.map((row) => row.volume_dollars))} /> were traded, and the fees are{' '}
      <Money dollars={sumOf(data.map((row) => row.fees_dollars))} />. <TabLink tab="revenue">By SKU</TabLink>
    </p>
  )
}

function TabLink({ tab, children }: { tab: string; children: ReactNode }) {
  return (
    <Link to="/operator" search={{ tab }}>
      {children}
    </Link>
  )
}
