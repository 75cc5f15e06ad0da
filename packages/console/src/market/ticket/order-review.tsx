/** What is asked before an order is placed: all of it, with the most that it can cost. */
import { durationText } from '@bourse/text/formats/short.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Facts } from '../../ui/page.tsx'
import { windowText } from '../../ui/values.rules.ts'
import { Money } from '../../ui/values.tsx'
import { partsOf, priceText } from '../board/board.rules.ts'
import { filledText, orderTitle } from '../orders/order.rules.ts'
import { skuName } from '../sku.rules.ts'
import { lackOf, restText, worstCaseOf } from './estimate.rules.ts'
import { keysOf, launchesOf } from './launch.rules.ts'
import { type Placed, type Placing, useHasOtherUnanswered, usePlacing } from './placing.ts'
import { useOwnKeys } from './run-fields.tsx'
import { amendmentBody, isRun } from './ticket.rules.ts'
import { WorstCase } from './ticket-estimate.tsx'
import type { FilledTicket } from './use-filled-ticket.ts'
import type { Review } from './use-ordering.ts'

type ReviewProps = {
  review: Review
  filled: FilledTicket
  onClose: () => void
  onPlaced: (placed: Placed) => void
}

/** What was shown is what is sent, also when a minute has passed. */
function useReview({ review: { body }, filled, onPlaced }: ReviewProps) {
  const { ticket, amended, now, sku } = filled
  const placing = usePlacing(onPlaced)
  const [sent] = useState<Placing>(() => ({
    body,
    amendment: amended && { id: amended.id, body: amendmentBody(amended, body, now) },
    launches: isRun(ticket) ? launchesOf(ticket, body) : undefined,
    isNow: ticket.start === 'now',
  }))
  const isAfterUnanswered = useHasOtherUnanswered(sent)
  const nodes = body.allocation_schedule_delta[0]?.node_count ?? 0
  const what = `${body.side === 'buy' ? 'Buy' : 'Sell'} ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  const start = sent.launches === undefined ? '' : ` and start ${nodes === 1 ? 'an instance' : `${nodes} instances`}`
  return {
    placing,
    sent,
    isAfterUnanswered,
    title: amended ? `Amend ${orderTitle(amended)}?` : `${what} of ${sku ? skuName(sku) : ticket.sku}${start}?`,
    action: amended ? 'Amend the order' : `${what}${start}`,
  }
}

/** The question over the page. */
export function ReviewDialog(props: ReviewProps) {
  const { placing, sent, title, action, isAfterUnanswered } = useReview(props)
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isOpen
      isDangerous={false}
      onClose={props.onClose}
      onConfirm={() => placing.run(sent)}
      isBusy={placing.isRunning}
      error={placing.error}
    >
      {isAfterUnanswered ? <Unanswered /> : null}
      <ReviewFacts {...props} sent={sent} />
    </ConfirmDialog>
  )
}

/** The question inside of a panel. */
export function PanelReview(props: ReviewProps) {
  const { placing, sent, title, action, isAfterUnanswered } = useReview(props)
  return (
    <form
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        placing.run(sent)
      }}
    >
      <h3>{title}</h3>
      {isAfterUnanswered ? <Unanswered /> : null}
      <ReviewFacts {...props} sent={sent} />
      <ErrorText error={placing.error} />
      <DialogActions>
        <Button onClick={props.onClose}>Back</Button>
        <Button kind="primary" type="submit" isBusy={placing.isRunning} autoFocus>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}

function Unanswered() {
  return (
    <p className="warn">
      It is not known whether the last order that was sent from here was placed. Look at the{' '}
      <Link to="/orders" search={{ view: 'all' }}>
        orders
      </Link>{' '}
      first.
    </p>
  )
}

function ReviewFacts({ review: { body, estimate }, filled, sent }: ReviewProps & { sent: Placing }) {
  const { ticket, amended, pool, sku } = filled
  const [window] = body.allocation_schedule_delta
  const quoted = estimate?.type === 'quoted' ? estimate : undefined
  const lacks = quoted && lackOf(quoted, amended)
  const { start_at = 0, end_at = 0, node_count = 0 } = window ?? {}
  const facts: (readonly [name: string, value: ReactNode])[] = [
    ['Window', `${windowText(start_at, end_at)} (${durationText(end_at - start_at)})`],
    ['Times in', localZone()],
    [amended ? 'Nodes in total' : 'Nodes', node_count],
    ['Pool', pool?.name ?? ticket.pool],
    [body.side === 'buy' ? 'At most' : 'At least', <Limit key="limit" body={body} sku={sku} />],
    ...(quoted
      ? ([
          ['Worst case', <WorstCase key="worst" estimate={quoted} />],
          [body.side === 'buy' ? 'Costs now' : 'Brings now', <Money key="now" dollars={quoted.total_dollars} />],
        ] as const)
      : ([['Worst case', <OwnWorstCase key="worst" body={body} />]] as const)),
    ...(quoted && lacks === undefined && !quoted.refusal ? ([['Rests', restText(quoted)]] as const) : []),
    ...(lacks === undefined ? [] : ([['You lack', <Money key="lack" dollars={lacks} />]] as const)),
  ]
  return (
    <>
      {amended ? <p>{filledText(amended)} If these terms are refused, the order stays as it is.</p> : null}
      <Facts facts={facts} />
      {sent.launches ? <LaunchText filled={filled} count={sent.launches.length} /> : null}
    </>
  )
}

function Limit({
  body: { limit_price_dollars_per_node_hour: price },
  sku,
}: Pick<Review, 'body'> & Pick<FilledTicket, 'sku'>) {
  const parts = sku ? partsOf(sku, 'gpu') : 1
  return (
    <>
      <Money dollars={price} /> a node-hour{' '}
      {parts > 1 ? <span className="quiet small">{priceText(price, parts)} a GPU-hour</span> : null}
    </>
  )
}

/** What starts on the nodes. */
function LaunchText({ filled: { ticket, images }, count }: { filled: FilledTicket; count: number }) {
  const keys = useOwnKeys(true)
  const chosen = keysOf(ticket.keys, keys?.map(({ id }) => id) ?? [])
  const names = keys?.filter(({ id }) => chosen.includes(id)).map(({ name }) => name)
  const image = images.find(({ id }) => id === ticket.image)?.name ?? ticket.image
  return (
    <p>
      {count === 1 ? 'An instance starts' : `${count} instances start`} from the image <b>{image}</b>
      {ticket.name === '' ? '' : `, named ${ticket.name}${count === 1 ? '' : `-1 to ${ticket.name}-${count}`}`}.{' '}
      {names?.length === 0 ? (
        <b className="warn">No SSH key opens {count === 1 ? 'it' : 'them'}.</b>
      ) : (
        `SSH keys: ${names?.join(', ') ?? '…'}.`
      )}{' '}
      {count === 1 ? 'Without it nothing is bought.' : 'Each node is bought with its instance, or not at all.'}
    </p>
  )
}

/** The worst case where there is no estimate that says it. */
function OwnWorstCase({ body }: Pick<Review, 'body'>) {
  const dollars = worstCaseOf(body)
  if (dollars === undefined) return <>Nothing is paid; the nodes are promised until they are sold.</>
  return (
    <>
      <Money dollars={dollars} /> <span className="quiet small">the limit for all nodes and hours</span>
    </>
  )
}
