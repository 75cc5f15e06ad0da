/** The event log: what happened, newest first, and what happens now. */
import { eventActions } from '@bourse/api/events/actions.ts'
import type { Event } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { events } from '../generated/rows/events.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter, textFilter } from '../live/lists/filters.tsx'
import { hearEvents, useConnection } from '../live/live.ts'
import { Actor, actorText } from '../live/names/named.tsx'
import { useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { asCli, asCurl } from '../ui/requests.rules.ts'
import { Table } from '../ui/table.tsx'
import { Moment } from '../ui/values.tsx'
import { EventSentence, sentenceText } from './event-sentence.tsx'
import { type EventChoice, isChosen, readNewest } from './newest.ts'

const shownMax = 500
const actions = Object.keys(eventActions)
const kinds = [...new Set(Object.values(eventActions).map(({ target_type }) => target_type))]
const defaults = { action: '', target: '', target_type: '', until: '', event: '' }

const controls = {
  action: choiceFilter('Action', actions),
  target_type: choiceFilter('About', kinds),
  target: textFilter('Id of the resource', { placeholder: 'Id of a resource', maxLength: 64 }),
}

/** The page. */
export function EventsPage() {
  const [address, setAddress] = useAddress(defaults)
  const { action, target, target_type, until, event: opened } = address
  const choice = useMemo(() => chosen({ action, target, target_type }), [action, target, target_type])
  const log = useEvents(choice, until)
  const shown = log.data?.find(({ id }) => id === opened)
  return (
    <Page
      title="Events"
      help={`Everything that happens to your resources is one event in one order, kept for seven days. Programs follow
        the same log by the API, the SDK or webhooks.`}
      guide="/docs/concepts/events"
      actions={
        <Link to="/webhooks" search={{ create: '1', ...choice }} className={buttonClass()}>
          Webhook from this filter
        </Link>
      }
    >
      <search className="row no-print">
        {Object.entries(controls).map(([name, Control]) => (
          <Control
            key={name}
            value={address[name as keyof typeof controls]}
            onChange={(value) => setAddress({ [name]: value })}
          />
        ))}
        {until ? <Button onClick={() => setAddress({ until: '', event: '' })}>Go to now</Button> : null}
      </search>
      <Loaded of={log}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No event" command={asCli('events list', { action, target, 'target-type': target_type })}>
              Nothing happened that these filters show. Events appear here as they happen.
            </Empty>
          ) : (
            <Table
              name="Events"
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              onOpen={({ id, occurred_at }) => setAddress({ event: id, until: String(occurred_at) }, { push: true })}
              note={log.isLive ? 'Live' : until ? 'Up to a moment of the past' : 'Not live'}
            />
          )
        }
      </Loaded>
      <EventDialog event={shown} choice={choice} onClose={() => setAddress({ event: '' })} />
    </Page>
  )
}

/** The events before a moment; without one, the newest and each that comes. */
function useEvents(choice: EventChoice, until: string) {
  const now = useNow()
  const isLive = useConnection() === 'connected' && until === ''
  const end = until === '' ? now + 60 : Number(until)
  const read = useRead(
    ['logged_event', choice, until],
    (signal) => readNewest(choice, { until: end, most: shownMax, signal }),
    // Events that came while it was shown are forgotten with it.
    { isNeverFresh: until === '' },
  )
  const [fresh, setFresh] = useState<readonly Event[]>([])
  useEffect(() => {
    setFresh([])
    if (until !== '') return
    return hearEvents({
      event: (event) => {
        if (isChosen(event, choice)) setFresh((events) => [event, ...events].slice(0, shownMax))
      },
      gap: () => setFresh([]),
    })
  }, [choice, until])
  const known = new Set(fresh.map(({ id }) => id))
  const isKnown = read.data !== undefined || fresh.length > 0
  const events = [...fresh, ...(read.data ?? []).filter(({ id }) => !known.has(id))]
  return { data: isKnown ? events : undefined, error: read.error, isLive }
}

function chosen(given: { action: string; target: string; target_type: string }): EventChoice {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

const columns = columnsOf(
  events,
  [
    'occurred_at',
    {
      id: 'what',
      title: 'What happened',
      value: sentenceText,
      cell: (event) => <EventSentence event={event} />,
    },
    { of: 'action', as: 'code' },
    { id: 'actor', title: 'By', value: ({ actor }) => actorText(actor), cell: ({ actor }) => <Actor {...actor} /> },
  ],
  [{ of: 'targets', title: 'Ids', value: ({ targets }) => targets.map(({ id }) => id).join(' ') }, 'id'],
)

type EventDialogProps = { event: Event | undefined; choice: EventChoice; onClose: () => void }

/** One event as JSON. The address of the page with it open is a permanent link for as long as events are kept. */
function EventDialog({ event, choice, onClose }: EventDialogProps) {
  const meaning = event ? eventActions[event.action as keyof typeof eventActions]?.meaning : undefined
  const after = event?.cursor ?? ''
  const query = new URLSearchParams({ ...(choice as Record<string, string>), starting_after: after })
  return (
    <Dialog title={event?.action ?? ''} isOpen={event !== undefined} onClose={onClose} isWide>
      {event ? (
        <p>
          <b>
            <EventSentence event={event} />
          </b>{' '}
          <span className="quiet">
            <Moment at={event.occurred_at} />
          </span>
        </p>
      ) : null}
      <p>{meaning}</p>
      <pre className="mono" style={{ overflow: 'auto' }}>
        {JSON.stringify(event, null, 2)}
      </pre>
      <p className="quiet">What came after it, with the same filters:</p>
      <CodeLines
        ways={{
          CLI: asCli('events list', { ...choiceFlags(choice), 'starting-after': after }),
          curl: asCurl({ method: 'GET', path: `/preview/v2/events?${query}` }, location.origin),
        }}
      />
    </Dialog>
  )
}

function choiceFlags({ action, target, target_type }: EventChoice) {
  return { action, target, 'target-type': target_type }
}
