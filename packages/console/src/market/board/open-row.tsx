/** What is below the board: the book, the trades and the prices of the SKU whose row is open. */
import type { OrderbookBoardRow, Sku } from '@bourse/sdk'
import { useEffect, useId, useRef, useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { Copyable } from '../../ui/values.tsx'
import { BookSection } from '../book/book-section.tsx'
import { ForwardCurve, PriceHistory } from '../book/price-charts.tsx'
import { Tape } from '../book/tape.tsx'
import { type OpenTicket, TradeLink } from '../book/trade-link.tsx'
import { HaltBanner } from '../halt-banner.tsx'
import { skuFacts, skuLine, skuName } from '../sku.rules.ts'
import type { PriceUnit } from './board.rules.ts'
import {
  type BoardAddress,
  type BookWindow,
  bookWindow,
  type ChangeBoardAddress,
  nodesOf,
  windowLengths,
} from './board-address.rules.ts'
import styles from './open-row.module.css'

type OpenRowProps = {
  row: OrderbookBoardRow
  address: BoardAddress
  unit: PriceUnit
  onChange: ChangeBoardAddress
  onTrade: OpenTicket
}

/** The SKU of the row. */
export function OpenRow({ row: { sku, halted }, address, unit, onChange, onTrade }: OpenRowProps) {
  const now = useNow(60)
  const window = bookWindow(address, sku.id, now)
  const place = useInView(address.sku === '' ? undefined : sku.id)
  return (
    <section ref={place} className={styles.open} aria-label={skuName(sku)}>
      <div className={styles.openHead}>
        <h2>
          <bdi>{skuName(sku)}</bdi>
        </h2>
        <small className="quiet">
          <bdi>{skuLine(sku)}</bdi>
        </small>
        <SkuFacts sku={sku} />
        <WindowFields address={address} window={window} onChange={onChange} />
        <TradeLink draft={{ side: 'sell', ...textsOf(window) }} onTrade={onTrade} className={buttonClass()}>
          Sell
        </TradeLink>
        <TradeLink
          draft={{ side: 'buy', ...textsOf(window), nodes: String(nodesOf(address)) }}
          onTrade={onTrade}
          className={buttonClass('primary')}
        >
          Buy
        </TradeLink>
      </div>
      <HaltBanner sku={sku.id} />
      <div className={`${styles.columns} ${styles.book}`}>
        <BookSection sku={sku} window={window} unit={unit} isHalted={halted} onTrade={onTrade} />
        <Tape sku={sku} unit={unit} now={now} />
      </div>
      <div className={styles.columns}>
        <PriceHistory
          sku={sku}
          unit={unit}
          now={now}
          span={address.history}
          onSpan={(history) => onChange({ history })}
        />
        <ForwardCurve
          sku={sku}
          unit={unit}
          now={now}
          length={address.length}
          nodes={nodesOf(address)}
          onLength={(length) => onChange({ length })}
          onTrade={onTrade}
        />
      </div>
    </section>
  )
}

function textsOf({ sku, start, end }: BookWindow) {
  return { sku, start: String(start), end: String(end) }
}

/** The part of the screen's height below which what is opened comes into view by itself. */
const lowPart = 0.75

/** Brings a section into view when another SKU is opened: below many rows it would not be seen. */
function useInView(sku: string | undefined) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = place
    if (sku === undefined || current === null) return
    if (current.getBoundingClientRect().top > innerHeight * lowPart) current.scrollIntoView({ block: 'center' })
  }, [sku])
  return place
}

/** What the SKU is, beside the page. */
function SkuFacts({ sku }: { sku: Sku }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" onClick={() => setOpen(true)}>
        Facts
      </Button>
      <Dialog title={skuName(sku)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          <Copyable text={sku.id} />
        </p>
        <Facts facts={skuFacts(sku)} />
      </Dialog>
    </>
  )
}

type WindowFieldsProps = { address: BoardAddress; window: BookWindow; onChange: ChangeBoardAddress }

function WindowFields({ address, window: { start }, onChange }: WindowFieldsProps) {
  const now = useNow(60)
  const id = useId()
  return (
    <span className={styles.window}>
      <label htmlFor={id}>Window from</label>
      <TimeField
        id={id}
        kind="moment"
        now={now}
        value={start}
        onChange={(at) => onChange({ start: at === undefined ? '' : String(at) })}
      />
      <Select
        label="for"
        value={address.minutes in windowLengths ? address.minutes : '60'}
        onChange={(minutes) => onChange({ minutes })}
        options={windowLengths}
      />
    </span>
  )
}
