/** The market: the order book of a SKU, its prices before and ahead, its trades, and the hours ahead of all SKUs. */

import type { SkuId } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { buttonClass } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { BookSection, type BookWindow } from './book/book-section.tsx'
import { MarketHeat } from './book/market-heat.tsx'
import { ForwardCurve, PriceHistory } from './book/price-charts.tsx'
import { SkuPicker } from './book/sku-picker.tsx'
import { Tape } from './book/tape.tsx'
import { HaltBanner } from './halt-banner.tsx'
import { findSku, skuName } from './sku.rules.ts'
import { localText, secondsOf, secondsText } from './ticket/ticket.rules.ts'

const windows = { 60: '1 hour', 120: '2 hours', 240: '4 hours', 480: '8 hours', 1440: '1 day', 10080: '7 days' }

const defaults = { sku: '', start: '', minutes: '60', measure: 'ask', interval: 'hour', length: '60', nodes: '1' }

type MarketAddress = typeof defaults
type ChangeMarketAddress = (change: Partial<MarketAddress>, options?: { push?: boolean }) => void

/** The page. */
export function MarketPage() {
  const [address, setAddress] = useAddress(defaults)
  const now = useNow()
  const skus = useList('list_skus', {})
  const sku = address.sku === '' ? skus.rows[0] : findSku(skus.rows, address.sku)
  const window = windowOf(address, sku?.id ?? ('' as SkuId), now)
  return (
    <Page
      title="Market"
      help={
        <>
          Each SKU has one order book, in which nodes are offered and wanted for windows of whole minutes. A price is
          for one node for an hour; all that is shown here is what others would trade now.
        </>
      }
      guide="/docs/concepts/market"
      actions={sku ? <OrderLinks {...window} /> : null}
    >
      <ErrorText error={skus.error} />
      {skus.isPending && !skus.error ? <Loading /> : null}
      {!skus.isPending && !sku ? <NoSku given={address.sku} /> : null}
      {sku ? (
        <>
          <SkuPicker
            skus={skus.rows}
            sku={sku}
            onChange={(id) => setAddress({ sku: id }, { push: true })}
            more={skus.more}
          />
          <HaltBanner sku={sku.id} />
          <WindowFields address={address} start={window.start} onChange={setAddress} />
          <BookSection {...window} name={skuName(sku)} />
          <Charts address={address} window={window} now={now} onChange={setAddress} />
          <Tape sku={sku.id} now={now} />
        </>
      ) : null}
    </Page>
  )
}

/** The window of the address, or else the next full hour. */
function windowOf({ start: given, minutes }: MarketAddress, sku: SkuId, now: number): BookWindow {
  const start = secondsOf(given) ?? Math.floor(now / hourSeconds) * hourSeconds + hourSeconds
  return { sku, start, end: start + (minutes in windows ? Number(minutes) : 60) * 60 }
}

function OrderLinks({ sku, start, end }: BookWindow) {
  const search = { sku, start: String(start), end: String(end) }
  return (
    <>
      <Link to="/ticket" search={{ side: 'sell', ...search }} className={buttonClass()}>
        Sell
      </Link>
      <Link to="/ticket" search={{ side: 'buy', ...search }} className={buttonClass('primary')}>
        Buy
      </Link>
    </>
  )
}

function WindowFields({
  address,
  start,
  onChange,
}: {
  address: MarketAddress
  start: number
  onChange: ChangeMarketAddress
}) {
  return (
    <div className="row">
      <Field label="Window from">
        <input
          type="datetime-local"
          value={localText(String(start))}
          onChange={({ target }) => onChange({ start: secondsText(target.value) })}
        />
      </Field>
      <Select label="for" value={address.minutes} onChange={(minutes) => onChange({ minutes })} options={windows} />
    </div>
  )
}

type ChartsProps = { address: MarketAddress; window: BookWindow; now: number; onChange: ChangeMarketAddress }

function Charts({ address, window, now, onChange }: ChartsProps) {
  const { sku } = window
  return (
    <>
      <section className="card" aria-label="Hours ahead">
        <MarketHeat
          now={now}
          measure={address.measure}
          onMeasure={(measure) => onChange({ measure })}
          marked={window}
        />
      </section>
      <PriceHistory sku={sku} now={now} interval={address.interval} onInterval={(interval) => onChange({ interval })} />
      <ForwardCurve sku={sku} now={now} length={address.length} nodes={address.nodes} onChange={onChange} />
    </>
  )
}

function NoSku({ given }: { given: string }) {
  return (
    <Empty title={given ? `No SKU ${given}` : 'No SKU'} command="bourse skus list">
      The platform's operator lists what can be bought. A SKU appears here as soon as it is on the market.
    </Empty>
  )
}
