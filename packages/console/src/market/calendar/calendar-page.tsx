/** What the account owns, uses, promises and wants over time. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { useExample } from '../../live/example.ts'
import { useAddress } from '../../ui/address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Empty, Loading, Page } from '../../ui/page.tsx'
import { Moment } from '../../ui/values.tsx'
import { TicketBeside, useTicketBeside } from '../ticket/ticket-beside.tsx'
import { CalendarDetail } from './calendar-detail.tsx'
import { offsetAt } from './calendar-lane.tsx'
import { CalendarLanes } from './calendar-lanes.tsx'
import { useLanes, useMaintenance } from './calendar-sources.ts'
import { CalendarTable } from './calendar-table.tsx'
import { type Lane, ticketSearch, tradeOf } from './lanes.rules.ts'
import { rangeOf, type Zoom, zoomedAt, zoomOf, zooms } from './view.rules.ts'

/** The page. */
export function CalendarPage() {
  const [address, setAddress] = useAddress({ zoom: 'week', at: '', view: 'lanes', sort: '' })
  const now = useNow()
  const zoom = zoomOf(address.zoom)
  const range = rangeOf(zoom, address.at, now - (now % 60), offsetAt(now))
  const { lanes, traded, error, isCut, updatedAt } = useLanes(now)
  const maintenance = useMaintenance(traded, now, range.to)
  const { shown, refused, hover, show, refuse } = useShown()
  const { trade, marked, ...beside } = useTicketBeside()
  const drag = (lane: Lane, window: { begin: number; end: number }) => {
    const meant = tradeOf(lane, window, now)
    if ('refused' in meant) return refuse(lane, window.begin, meant.refused)
    trade(ticketSearch(lane, meant))
  }
  const isTable = address.view === 'table'
  const common = { ...range, now, zoom, maintenance }
  return (
    <Page title="Calendar" help={help} guide="/docs/concepts/capacity">
      <Tools zoom={zoom} range={range} now={now} isTable={isTable} onChange={setAddress} />
      <ErrorText error={error} />
      {lanes === undefined && !error ? <Loading /> : null}
      {lanes?.length === 0 ? <NothingOwned /> : null}
      {lanes && lanes.length > 0 ? (
        <>
          {isTable ? (
            <CalendarTable
              lanes={lanes}
              now={now}
              view={range}
              sort={address.sort}
              onSort={(sort) => setAddress({ sort })}
              onTrade={trade}
            />
          ) : (
            <>
              <CalendarLanes
                {...common}
                lanes={lanes}
                onPoint={hover}
                onFocus={show(false)}
                onPin={show(true)}
                onDrag={drag}
                marked={marked}
              />
              <CalendarDetail
                lane={lanes.find(({ key }) => key === shown?.key)}
                at={shown?.at ?? 0}
                view={range}
                now={now}
                maintenance={maintenance}
                refused={refused}
                onTrade={trade}
              />
            </>
          )}
          <Completeness updatedAt={updatedAt} isCut={isCut} />
        </>
      ) : null}
      <TicketBeside {...beside} />
    </Page>
  )
}

/** The stretch that the details are about, and why the last drag led to no order. */
function useShown() {
  const [shown, setShown] = useState<{ key: string; at: number; isPinned: boolean }>()
  const [refused, setRefused] = useState<string>()
  // What was clicked stays shown while the pointer moves on, to its links for example.
  const hover = (lane: Lane, at: number) => {
    if (!shown?.isPinned) setShown({ key: lane.key, at, isPinned: false })
  }
  const show = (isPinned: boolean) => (lane: Lane, at: number) => {
    setShown({ key: lane.key, at, isPinned })
    setRefused(undefined)
  }
  const refuse = (lane: Lane, at: number, why: string) => {
    setShown({ key: lane.key, at, isPinned: true })
    setRefused(why)
  }
  return { shown, refused, hover, show, refuse }
}

function Completeness({ updatedAt, isCut }: { updatedAt: number; isCut: boolean }) {
  return (
    <p className="quiet small">
      <Freshness updatedAt={updatedAt} />
      {isCut ? ' There is more than this page shows: some pools, orders or instances are left out.' : ''}
    </p>
  )
}

const help = (
  <>
    Each lane is what one pool owns of one SKU, minute by minute. Drag over free nodes to sell them, and beyond the end
    to buy more: the ticket opens beside it with that window.
  </>
)

function NothingOwned() {
  const sku = useExample('sku')
  return (
    <Empty
      title="Nothing owned yet"
      action={
        <Link to="/ticket" search={{ side: 'buy' }} className={buttonClass('primary')}>
          Buy node-hours
        </Link>
      }
      command={`bourse orders buy ${sku} --nodes 1 --window 'tomorrow 9am +6h'`}
    >
      A pool has a lane here as soon as it owns nodes, or has an order, an instance or a procurement.
    </Empty>
  )
}

type ToolsProps = {
  zoom: Zoom
  range: { from: number; to: number }
  now: number
  isTable: boolean
  onChange: (change: { zoom?: string; at?: string; view?: string }) => void
}

function Tools({ zoom, range, now, isTable, onChange }: ToolsProps) {
  const move = (parts: number) => onChange({ at: String(range.from + Math.round(parts * zooms[zoom].span)) })
  const zoomTo = (next: Zoom) => onChange({ zoom: next, at: next === zoom ? '' : zoomedAt(next, range, now) })
  return (
    <div className="row no-print">
      {(Object.keys(zooms) as Zoom[]).map((name) => (
        <Button key={name} aria-pressed={name === zoom} onClick={() => zoomTo(name)}>
          {name}
        </Button>
      ))}
      <Button onClick={() => move(-0.5)} aria-label="Earlier">
        ←
      </Button>
      <Button onClick={() => onChange({ at: '' })}>Now</Button>
      <Button onClick={() => move(0.5)} aria-label="Later">
        →
      </Button>
      <span className="quiet">
        <Moment at={range.from} /> – <Moment at={range.to} />
      </span>
      <Button kind="plain" onClick={() => onChange({ view: isTable ? 'lanes' : 'table' })}>
        {isTable ? 'As lanes' : 'As a table'}
      </Button>
    </div>
  )
}
