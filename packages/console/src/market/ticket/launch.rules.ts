/** Instances that buy what they run on, as a ticket asks for them. Pure. */
import type { CreateInstanceBody, CreateOrderBody } from '@bourse/sdk'
import { isoIn } from '@bourse/text/time/zones.ts'
import { asCli, asCurl, asSdk } from '../../ui/requests.rules.ts'
import type { Ticket } from './ticket.rules.ts'

const none = 'none'

/** The SSH keys of a ticket, of those that there are. */
export function keysOf(value: string, all: readonly string[]): readonly string[] {
  if (value === '') return all
  return value === none ? [] : value.split(',').filter((id) => all.includes(id))
}

/** The choice of keys with one more, or one less. All of them are the default. */
export function withKey(
  chosen: readonly string[],
  { id, isOn, all }: { readonly id: string; readonly isOn: boolean; readonly all: readonly string[] },
): string {
  const next = all.filter((one) => (one === id ? isOn : chosen.includes(one)))
  if (next.length === all.length) return ''
  return next.join(',') || none
}

/** The requests of a ticket, one for each node. */
export function launchesOf(ticket: Ticket, order: CreateOrderBody): readonly CreateInstanceBody[] {
  const [window] = order.allocation_schedule_delta
  if (!window) return []
  const { start_at, end_at, node_count } = window
  const launch = {
    pool: order.pool,
    sku: order.sku,
    image: ticket.image as CreateInstanceBody['image'],
    ...(ticket.keys === ''
      ? {}
      : {
          ssh_keys: ticket.keys === none ? [] : (ticket.keys.split(',') as NonNullable<CreateInstanceBody['ssh_keys']>),
        }),
    buy: {
      // Without a start it is the minute in which the server decides.
      ...(ticket.start === 'now' ? {} : { start_at }),
      end_at,
      limit_price_dollars_per_node_hour: order.limit_price_dollars_per_node_hour,
    },
  }
  return Array.from({ length: node_count }, (_, index) => {
    const { name } = ticket
    return { ...launch, ...(name === '' ? {} : { name: node_count === 1 ? name : `${name}-${index + 1}` }) }
  })
}

/** The request of an instance as programs send it. */
export function launchAsProgram(launch: CreateInstanceBody, place: { readonly origin: string; readonly zone: string }) {
  const { buy, ssh_keys } = launch
  const momentOf = (at: number | undefined) => at && isoIn(at, place.zone)
  const command = asCli('instances create', {
    pool: launch.pool,
    sku: launch.sku,
    image: launch.image,
    name: launch.name,
    from: momentOf(buy?.start_at),
    until: momentOf(buy?.end_at),
    'limit-price': buy?.limit_price_dollars_per_node_hour,
  })
  return {
    CLI: [command, ...(ssh_keys?.map((id) => `--ssh-keys ${id}`) ?? [])].join(' '),
    curl: asCurl({ method: 'POST', path: '/v2/instances', body: launch }, place.origin),
    SDK: asSdk('instances.create', launch),
  }
}
