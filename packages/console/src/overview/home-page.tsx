/** The home of buyers: what they have in sentences, the board of all SKUs, and below it what is open. */
import { Navigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useRef } from 'react'
import { useAccount, useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import type { PriceUnit } from '../market/board/board.rules.ts'
import { Board, BoardPending } from '../market/board/board.tsx'
import {
  type BoardAddress,
  boardDefaults,
  type ChangeBoardAddress,
  nodesOf,
  openRowOf,
  shownSkus,
} from '../market/board/board-address.rules.ts'
import { useBoard } from '../market/board/use-board.ts'
import { AllSkus } from '../market/book/all-skus.tsx'
import { TicketBeside, useTicketBeside } from '../market/ticket/ticket-beside.tsx'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import styles from './home.module.css'

const OpenRow = lazy(() => import('../market/board/open-row.tsx').then(({ OpenRow: row }) => ({ default: row })))
const Status = lazy(() => import('./status.tsx').then(({ Status: status }) => ({ default: status })))
const Course = lazy(() => import('./course.tsx').then(({ Course: course }) => ({ default: course })))

/** The page. The home of the platform's operator is the desk, unless an address of the board was given. */
export function HomePage() {
  const { data: account } = useAccount()
  const search = useSearch({ strict: false })
  if (account?.is_platform && Object.keys(search).length === 0) return <Navigate to="/operator" replace />
  return <Home />
}

function Home() {
  const [address, setAddress] = useAddress(boardDefaults)
  const minute = useNow(60)
  const skus = useList('list_skus', {})
  const shown = shownSkus(skus.rows, address)
  const board = useBoard(shown)
  const unit: PriceUnit = address.unit === 'node' ? 'node' : 'gpu'
  const nodes = nodesOf(address)
  const rows = shown?.length === 0 ? [] : (board.data?.rows ?? [])
  const open = openRowOf(rows, address.sku)
  // Rows are drawn again where what they are given has changed: this must not.
  const latest = useRef(setAddress)
  latest.current = setAddress
  const openSku = useCallback((id: string) => latest.current({ sku: id }, { push: true }), [])
  const { trade, marked, ...beside } = useTicketBeside()
  const mark = useCallback(
    (sku: string, start: number, end: number) =>
      trade({ side: 'buy', sku, start: String(start), end: String(end), nodes: String(nodes) }),
    [trade, nodes],
  )
  return (
    <Page
      title="Board"
      help={help}
      guide="/docs/concepts/market"
      actions={<BoardTools address={address} unit={unit} onChange={setAddress} />}
    >
      <Suspense fallback={<div className={styles.pending} />}>
        <Status skus={skus.rows} onTrade={trade} />
      </Suspense>
      {board.data === undefined ? (
        <BoardPending error={board.error} />
      ) : (
        <div className={styles.panel}>
          {rows.length > 0 ? (
            <Board
              board={board.data}
              open={open?.sku.id}
              unit={unit}
              nodes={nodes}
              minute={minute}
              isTable={address.as === 'table'}
              marked={marked}
              onOpen={openSku}
              onMark={mark}
            />
          ) : (
            <p className="quiet">
              {address.find === '' ? 'Nothing is on the market.' : `No SKU has “${address.find}”.`}
            </p>
          )}
          {open ? (
            <Suspense fallback={<Loading />}>
              <OpenRow row={open} address={address} unit={unit} onChange={setAddress} onTrade={trade} />
            </Suspense>
          ) : null}
        </div>
      )}
      {board.data && !open && !skus.isPending ? <NoSku given={address.sku} /> : null}
      <Suspense fallback={<Loading />}>
        <Course />
      </Suspense>
      <AllSkus skus={skus.rows} more={skus.more} onChoose={openSku} />
      <TicketBeside {...beside} />
    </Page>
  )
}

const help = (
  <>
    Each SKU has one order book, in which nodes are offered and wanted for windows of whole minutes. A price is for an
    hour of one GPU, or of one node; all that is shown here is what others would trade now.
  </>
)

type BoardToolsProps = { address: BoardAddress; unit: PriceUnit; onChange: ChangeBoardAddress }

const units = { gpu: '$/GPU-h', node: '$/node-h' } as const

function BoardTools({ address, unit, onChange }: BoardToolsProps) {
  const isTable = address.as === 'table'
  return (
    <search className={`row ${styles.tools}`}>
      <input
        type="search"
        aria-label="Find on the board"
        placeholder="Find: h100 west"
        value={address.find}
        maxLength={100}
        onChange={({ target }) => onChange({ find: target.value })}
      />
      <label className={styles.nodes}>
        Nodes{' '}
        <input
          type="number"
          min={1}
          max={10_000}
          value={address.nodes}
          onChange={({ target }) => onChange({ nodes: target.value })}
        />
      </label>
      <fieldset className={styles.units}>
        <legend className="visually-hidden">Unit</legend>
        {(['gpu', 'node'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="unit" checked={unit === one} onChange={() => onChange({ unit: one })} />
            {units[one]}
          </label>
        ))}
      </fieldset>
      <Button kind="plain" onClick={() => onChange({ as: isTable ? '' : 'table' })}>
        {isTable ? 'As a board' : 'As a table'}
      </Button>
    </search>
  )
}

function NoSku({ given }: { given: string }) {
  return (
    <div className={styles.none}>
      <Empty title={given ? `No SKU ${given}` : 'No SKU'} command="bourse skus list">
        The platform's operator lists what can be bought. A SKU appears here as soon as it is on the market.
      </Empty>
    </div>
  )
}
