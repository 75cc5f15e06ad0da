/** Says that orders are not taken now, and why, before somebody fills one in. */
import type { SkuId } from '@bourse/sdk'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'

/** No event tells of a halt. */
const every = 15_000

/** The halt of the market or of a SKU; nothing while there is none. */
export function HaltBanner({ sku }: { sku: SkuId }) {
  const { data } = useRead(['orderbook', 'status', sku], () => client.orderbookStatus.get({ sku }), { every })
  if (!data?.halted) return null
  return (
    <p className="warn" role="status">
      {data.scope === 'market' ? 'The whole market is halted.' : 'This SKU is halted.'}{' '}
      {data.message === null ? null : (
        <>
          The operator says: “<bdi>{data.message}</bdi>”.{' '}
        </>
      )}
      New orders are refused and nothing is matched until the operator resumes it. Orders can be cancelled.
    </p>
  )
}
