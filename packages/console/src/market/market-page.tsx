/** The market: the board of all SKUs, and below it the book, trades and prices of the one that is open. */

import type { OrderbookBoardRow, Sku, SkuId } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Empty, Facts, Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { Copyable } from '../ui/values.tsx'
import type { PriceUnit } from './board/board.rules.ts'
import { Board, BoardPending } from './board/board.tsx'
import { useBoard } from './board/use-board.ts'
import { BookSection, type BookWindow } from './book/book-section.tsx'
import { ForwardCurve, PriceHistory } from './book/price-charts.tsx'
import { AllSkus, fittingSkus } from './book/sku-picker.tsx'
import { Tape } from './book/tape.tsx'
import { HaltBanner } from './halt-banner.tsx'
import { findSku, skuFacts, skuLine, skuName } from './sku.rules.ts'
import { localText, secondsOf, secondsText } from './ticket/ticket.rules.ts'

const windows = { 60: '1 hour', 120: '2 hours', 240: '4 hours', 480: '8 hours', 1440: '1 day', 10080: '7 days' }
const units = { gpu: '$/GPU-h', node: '$/node-h' } as const
/** SKUs of one board, at most. */
const boardMax = 32

const defaults = {
  sku: '',
  find: '',
  unit: 'gpu',
  start: '',
  minutes: '60',
  history: '7d',
  length: '60',
  nodes: '1',
}

type MarketAddress = typeof defaults
type ChangeMarketAddress = (change: Partial<MarketAddress>, options?: { push?: boolean }) => void

/** The page. */
export function MarketPage() {
  const [address, setAddress] = useAddress(defaults)
  const now = useNow()
  const skus = useList('list_skus', {})
  const shown = shownSkus(skus.rows, address)
  const board = useBoard(shown)
  const unit: PriceUnit = address.unit === 'node' ? 'node' : 'gpu'
  const rows = shown?.length === 0 ? [] : (board.data?.rows ?? [])
  const open = openRow(rows, address.sku)
  const nodes = Math.min(10_000, Math.max(1, Math.floor(Number(address.nodes)) || 1))
  const openSku = useCallback((id: string) => setAddress({ sku: id }, { push: true }), [setAddress])
  return (
    <Page
      title="Market"
      help={
        <>
          Each SKU has one order book, in which nodes are offered and wanted for windows of whole minutes. A price is
          for an hour of one GPU, or of one node; all that is shown here is what others would trade now.
        </>
      }
      guide="/docs/concepts/market"
      actions={<BoardTools address={address} unit={unit} nodes={nodes} onChange={setAddress} />}
    >
      {board.data === undefined ? (
        <BoardPending error={board.error} />
      ) : rows.length > 0 ? (
        <Board board={board.data} open={open?.sku.id} unit={unit} nodes={nodes} now={now} onOpen={openSku} />
      ) : (
        <p className="quiet">{address.find === '' ? 'Nothing is on the market.' : `No SKU has “${address.find}”.`}</p>
      )}
      {board.data && !open && !skus.isPending ? <NoSku given={address.sku} /> : null}
      {open ? <OpenSku row={open} address={address} unit={unit} now={now} onChange={setAddress} /> : null}
      <AllSkus skus={skus.rows} more={skus.more} onChoose={openSku} />
    </Page>
  )
}

/** The SKUs that the board is asked for: undefined for its own choice. */
function shownSkus(skus: readonly Sku[], { find, sku }: MarketAddress): readonly string[] | undefined {
  const chosen = sku === '' ? undefined : findSku(skus, sku)
  if (find.trim() !== '')
    return fittingSkus(skus, find)
      .slice(0, boardMax)
      .map(({ id }) => id)
  // A SKU that the first rows do not have is shown by itself.
  return chosen && skus.indexOf(chosen) >= boardMax ? [chosen.id] : undefined
}

function openRow(rows: readonly OrderbookBoardRow[], given: string): OrderbookBoardRow | undefined {
  if (given === '') return rows[0]
  return rows.find(({ sku }) => sku.id === given) ?? rows.find(({ sku }) => sku.alias !== '' && sku.alias === given)
}

type BoardToolsProps = { address: MarketAddress; unit: PriceUnit; nodes: number; onChange: ChangeMarketAddress }

function BoardTools({ address, unit, nodes, onChange }: BoardToolsProps) {
  return (
    <span className="row">
      <input
        type="search"
        aria-label="Find on the board"
        placeholder="Find: h100 west"
        value={address.find}
        maxLength={100}
        onChange={({ target }) => onChange({ find: target.value })}
      />
      <Select
        label="Nodes"
        value={String(nodes)}
        onChange={(value) => onChange({ nodes: value })}
        options={nodeOptions(nodes)}
      />
      <Select label="Unit" value={unit} onChange={(value) => onChange({ unit: value })} options={units} />
    </span>
  )
}

function nodeOptions(chosen: number): Readonly<Record<string, string>> {
  const counts = [...new Set([1, 2, 4, 8, 16, 32, 64, chosen])].toSorted((a, b) => a - b)
  return Object.fromEntries(counts.map((count) => [count, String(count)]))
}

type OpenProps = {
  row: OrderbookBoardRow
  address: MarketAddress
  unit: PriceUnit
  now: number
  onChange: ChangeMarketAddress
}

/** The book, the trades and the prices of one SKU. */
function OpenSku({ row: { sku, halted }, address, unit, now, onChange }: OpenProps) {
  const window = windowOf(address, sku.id, now)
  return (
    <section className="stack" aria-label={skuName(sku)}>
      <div className="row">
        <h2>
          <bdi>{skuName(sku)}</bdi> <small className="quiet">{skuLine(sku)}</small>
        </h2>
        <SkuFacts sku={sku} />
        <WindowFields address={address} start={window.start} onChange={onChange} />
        <OrderLinks {...window} />
      </div>
      <HaltBanner sku={sku.id} />
      <BookSection sku={sku} window={window} unit={unit} isHalted={halted} />
      <PriceHistory
        sku={sku}
        unit={unit}
        now={now}
        span={address.history}
        onSpan={(history) => onChange({ history })}
      />
      <ForwardCurve sku={sku} unit={unit} now={now} length={address.length} nodes={address.nodes} onChange={onChange} />
      <Tape sku={sku} unit={unit} now={now} />
    </section>
  )
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

type WindowFieldsProps = { address: MarketAddress; start: number; onChange: ChangeMarketAddress }

function WindowFields({ address, start, onChange }: WindowFieldsProps) {
  return (
    <>
      <Field label="Window from">
        <input
          type="datetime-local"
          value={localText(String(start))}
          onChange={({ target }) => onChange({ start: secondsText(target.value) })}
        />
      </Field>
      <Select label="for" value={address.minutes} onChange={(minutes) => onChange({ minutes })} options={windows} />
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
