/** The operator's home: whether the market is open, the fleet as racks, what was earned, and what needs somebody. */
import { counted } from '@bourse/text/formats/amounts.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAll } from '../../live/all.ts'
import { useNow } from '../../live/clock.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { MarketSwitch, useHalts } from '../market.tsx'
import styles from './desk.module.css'
import { deskPace } from './desk-reads.ts'
import { Fleet } from './fleet.tsx'
import { Now } from './now.tsx'
import { isKept, type Rack, racksOf, soldNow } from './racks.rules.ts'
import { Tiles } from './tiles.tsx'
import { Turnover } from './turnover.tsx'

/** The page. */
export function Desk() {
  const { racks, listed, error } = useRacks()
  const halts = useHalts()
  return (
    <div className="stack">
      <Sentences
        racks={racks}
        listed={listed}
        halted={halts.data && { isWhole: isWhole(halts.data.halts), skus: halts.data.skus.length }}
      />
      <Tiles racks={racks} />
      <ErrorText error={error ?? halts.error} />
      <div className={styles.columns}>
        {racks ? <Fleet racks={racks} /> : <Loading />}
        <div className="stack">
          <Now racks={racks} />
          {halts.data ? <MarketSwitch halts={halts.data.halts} /> : null}
          <Turnover />
        </div>
      </div>
      <p className="small">
        <Link to="/" search={{ view: 'account' }}>
          The account of the platform as a customer
        </Link>
      </p>
    </div>
  )
}

function isWhole(halts: readonly { readonly sku: string | null }[]): boolean {
  return halts.some(({ sku }) => sku === null)
}

/** All racks, once hosts, SKUs and pools are read. */
function useRacks(): {
  readonly racks: readonly Rack[] | undefined
  /** SKUs that everybody sees on the market. */
  readonly listed: number | undefined
  readonly error: Error | null
} {
  const now = useNow(10)
  const hosts = useAll('list_hosts', {}, deskPace)
  const skus = useAll('list_platform_skus', { include_deleted: true }, { every: 60_000 })
  const pools = useAll('list_platform_pools', {}, { every: 30_000 })
  const racks = useMemo(
    () =>
      hosts.data && skus.data && pools.data
        ? racksOf(hosts.data, { skus: skus.data, sold: soldNow(pools.data, now), now })
        : undefined,
    [hosts.data, skus.data, pools.data, now],
  )
  const listed = skus.data?.filter((sku) => sku.listed && sku.deleted_at === undefined).length
  return { racks, listed, error: hosts.error ?? skus.error ?? pools.error }
}

type SentencesProps = {
  racks: readonly Rack[] | undefined
  listed: number | undefined
  halted: { readonly isWhole: boolean; readonly skus: number } | undefined
}

/** What there is to know, before any figure. */
function Sentences({ racks, listed, halted }: SentencesProps) {
  const credits = useAll('list_pending_credits', { state: 'pending' }, deskPace).data?.length ?? 0
  const hosts = racks?.flatMap((rack) => rack.hosts) ?? []
  const kept = hosts.filter(isKept).length
  return (
    <p className={styles.sentences}>
      {halted ? (
        <span className={halted.isWhole ? 'bad' : ''}>
          The market is <b>{halted.isWhole ? 'halted' : 'open'}</b>
          {halted.isWhole || listed === undefined
            ? ''
            : `, ${counted(listed, 'SKU')} ${listed === 1 ? 'is' : 'are'} listed`}
          {!halted.isWhole && halted.skus > 0 ? `, ${counted(halted.skus, 'SKU')} halted on their own` : ''}.
        </span>
      ) : null}
      {racks ? (
        <span className={kept < hosts.length ? 'warn' : ''}>
          <b>
            {kept} of {counted(hosts.length, 'host')}
          </b>{' '}
          {kept === 1 ? 'keeps its' : 'keep their'} promise.
        </span>
      ) : null}
      {credits > 0 ? (
        <span className="warn">
          <b>{counted(credits, 'credit')}</b> {credits === 1 ? 'waits' : 'wait'} for a second operator:{' '}
          <Link to="/operator" search={{ tab: 'credits' }}>
            look
          </Link>
        </span>
      ) : null}
    </p>
  )
}
