/** Says that orders are not taken now, since when and why, before somebody fills one in. */
import type { OrderbookStatus, SkuId } from '@bourse/sdk'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Moment } from '../ui/values.tsx'

/** No event tells of a halt. */
const every = 15_000

/** The halt of the whole market, on every page; nothing while there is none. */
export function MarketHaltBanner() {
  const { data } = useRead(['orderbook', 'status', 'market'], () => client.orderbookStatus.get(), { every })
  return data?.halted ? <Halt status={data} of="The whole market is halted" /> : null
}

/** The halt of one SKU on its own. */
export function HaltBanner({ sku }: { sku: SkuId }) {
  const { data } = useRead(['orderbook', 'status', sku], () => client.orderbookStatus.get({ sku }), { every })
  return data?.scope === 'sku' ? <Halt status={data} of="This SKU is halted" /> : null
}

function Halt({ status: { message, halted_at }, of }: { status: OrderbookStatus; of: string }) {
  return (
    <p className="warn" role="status">
      <b>
        {of}
        {halted_at === null ? null : (
          <>
            {' '}
            since <Moment at={halted_at} />
          </>
        )}
        .
      </b>{' '}
      {message === null ? null : (
        <>
          The operator says: “<bdi>{message}</bdi>”.{' '}
        </>
      )}
      New orders are refused and nothing is matched until the operator resumes it. Orders can be cancelled.
    </p>
  )
}
