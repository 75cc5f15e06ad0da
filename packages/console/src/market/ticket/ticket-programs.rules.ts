/** A ticket as programs send it. Pure, but for the address and the time zone of this machine. */
import type { AmendOrderBody, CreateOrderBody, Order } from '@bourse/sdk'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { isoIn } from '@bourse/text/time/zones.ts'
import { asCli, asCurl, asSdk } from '../../ui/requests.rules.ts'
import { launchAsProgram, launchesOf } from './launch.rules.ts'
import { amendmentBody, isRun, type Ticket } from './ticket.rules.ts'

/** The address of the server, and the zone in which commands have their times. */
export type ProgramPlace = { readonly origin: string; readonly zone: string }

type ProgramTicket = { readonly ticket: Ticket; readonly amended: Order | undefined; readonly now: number }

/** What the button of the ticket does, in each language. */
export function ticketAsProgram({ ticket, amended, now }: ProgramTicket, body: CreateOrderBody) {
  const place = { origin: location.origin, zone: localZone() }
  if (amended) return amendmentAsProgram(amended.id, amendmentBody(amended, body, now), place)
  const [launch] = isRun(ticket) ? launchesOf(ticket, body) : []
  return launch ? launchAsProgram(launch, place) : orderAsProgram(body, place)
}

/** An amendment as programs send it. */
export function amendmentAsProgram(
  id: string,
  body: AmendOrderBody,
  { origin, zone }: ProgramPlace,
): Readonly<Record<string, string>> {
  const momentOf = (at: number | undefined) => at && isoIn(at, zone)
  const switchOf = (name: string, value: boolean | undefined) =>
    value === undefined ? {} : { [value ? name : `no-${name}`]: true }
  return {
    CLI: asCli(`orders amend ${id}`, {
      'node-count': body.node_count,
      'start-at': momentOf(body.start_at),
      'end-at': momentOf(body.end_at),
      'limit-price': body.limit_price_dollars_per_node_hour,
      ...switchOf('allow-standing', body.allow_standing),
      ...switchOf('allow-partial', body.allow_partial),
    }),
    curl: asCurl({ method: 'POST', path: `/v2/orders/${id}/amend`, body }, origin),
    SDK: asSdk('orders.amend', id, body),
  }
}

/** An order as programs place it. */
export function orderAsProgram(
  body: CreateOrderBody,
  { origin, zone }: ProgramPlace,
): Readonly<Record<string, string>> {
  const [window] = body.allocation_schedule_delta
  return {
    CLI: asCli('orders create', {
      side: body.side,
      sku: body.sku,
      pool: body.pool,
      nodes: window?.node_count,
      from: window && isoIn(window.start_at, zone),
      until: window && isoIn(window.end_at, zone),
      'limit-price': body.limit_price_dollars_per_node_hour,
      'allow-standing': body.allow_standing,
      'allow-partial': body.allow_partial,
    }),
    curl: asCurl({ method: 'POST', path: '/v2/orders', body }, origin),
    SDK: asSdk('orders.create', body),
  }
}
