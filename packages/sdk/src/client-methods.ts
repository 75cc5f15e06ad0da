/** The methods of the client that are more than one request: waiting, following, and streams of bytes. */
import type { Call, RequestOptions } from './call.ts'
import type { Query } from './client-types.ts'
import { type EventSource, type FollowOptions, follow, type LogEvent } from './follow.ts'
import { type FollowLogsOptions, followLogs, type LogChunk, type OpenLogs } from './follow-logs.ts'
import type {
  AgentRollout,
  AgentRolloutId,
  CreateOrderEstimateBody,
  Deployment,
  DeploymentRef,
  Groups,
  Host,
  HostRef,
  Image,
  ImageRef,
  Instance,
  InstanceRef,
  Order,
  OrderEstimate,
  OrderId,
  PendingCredit,
  PendingCreditId,
  Pool,
  PoolRef,
  PoolTransfer,
  PoolTransferId,
  Procurement,
  ProcurementRef,
  Statement,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookId,
} from './generated/types.ts'
import { verifyWebhook } from './verify-webhook.ts'
import { type KnownKind, type Until, type WaitOptions, waitUntil } from './wait-until.ts'

/** Waits until a resource is in a state, in one of several, or until a condition holds; see {@link waitUntil}. */
type Waiter<I, T> = (id: I, until: Until<T>, options?: WaitOptions<T>) => Promise<T>

/** Streams an export. */
type Exporter<N extends 'export_usage' | 'export_ledger'> = (
  query: Query<N>,
  options?: RequestOptions,
) => AsyncGenerator<Uint8Array, void, void>

/** The methods besides those of the operations. */
export type MoreMethods = {
  readonly events: {
    /** Iterates over the existing and all future events; see {@link follow}. */
    follow(options?: FollowOptions): AsyncGenerator<LogEvent, void, void>
  }
  readonly webhooks: {
    /** Verifies a message that a webhook delivered; see {@link verifyWebhook}. Needs no request. */
    readonly verify: typeof verifyWebhook
    readonly waitUntil: Waiter<WebhookId, Webhook>
    /** Waits for one delivery: until its receiver has accepted it, for example. */
    readonly waitUntilDelivery: Waiter<{ id: WebhookId; delivery: WebhookDeliveryId }, WebhookDelivery>
  }
  readonly usage: {
    /** Iterates over the bytes of an export as they arrive, so that one of any size fits into memory. */
    readonly exportBytes: Exporter<'export_usage'>
  }
  readonly ledger: {
    /** Iterates over the bytes of an export of all accounts as they arrive. */
    readonly exportBytes: Exporter<'export_ledger'>
  }
  readonly orders: {
    /** Estimates an order on the best single SKU that can fill all of it. Reserves nothing. */
    estimate(body: CreateOrderEstimateBody, options?: RequestOptions): Call<OrderEstimate>
    readonly waitUntil: Waiter<OrderId, Order>
  }
  readonly instances: {
    /** Iterates over the existing and all future console output of an instance; see {@link followLogs}. */
    followLogs(id: InstanceRef, options?: FollowLogsOptions): AsyncGenerator<LogChunk, void, void>
    readonly waitUntil: Waiter<InstanceRef, Instance>
  }
  /** A month closes 48 hours after its end. A sandbox gets there when its clock is moved. */
  readonly statement: { readonly waitUntil: Waiter<string, Statement> }
  readonly images: { readonly waitUntil: Waiter<ImageRef, Image> }
  readonly hosts: { readonly waitUntil: Waiter<HostRef, Host> }
  readonly poolTransfers: { readonly waitUntil: Waiter<PoolTransferId, PoolTransfer> }
  readonly pools: { readonly waitUntil: Waiter<PoolRef, Pool> }
  readonly agentRollouts: { readonly waitUntil: Waiter<AgentRolloutId, AgentRollout> }
  readonly pendingCredits: { readonly waitUntil: Waiter<PendingCreditId, PendingCredit> }
  readonly deployments: {
    /** The same as `createEstimate`: what a deployment would cost. Reserves nothing. */
    estimate: Groups['deployments']['createEstimate']
    readonly waitUntil: Waiter<DeploymentRef, Deployment>
  }
  readonly procurements: {
    /** The same as `createEstimate`: what a procurement would cost. Reserves nothing. */
    estimate: Groups['procurements']['createEstimate']
    readonly waitUntil: Waiter<ProcurementRef, Procurement>
  }
}

/** The streams that the methods read. */
export type Streams = {
  readonly logsOf: (id: string) => OpenLogs
  readonly openEvents: EventSource['open']
  readonly exporterOf: <N extends 'export_usage' | 'export_ledger'>(name: N) => Exporter<N>
}

/** Adds these methods to the operations. */
export function withMoreMethods(groups: Groups, { logsOf, openEvents, exporterOf }: Streams): Groups & MoreMethods {
  const source = {
    list: groups.events.list,
    open: openEvents,
    now: async (options: object) => (await groups.account.get(options)).server.now,
  }
  return {
    ...groups,
    events: { ...groups.events, follow: (options) => follow(source, options) },
    webhooks: {
      ...groups.webhooks,
      verify: verifyWebhook,
      waitUntil: waiter(groups.webhooks.get),
      waitUntilDelivery: waiter(groups.webhooks.getDelivery, 'webhook_delivery'),
    },
    usage: { ...groups.usage, exportBytes: exporterOf('export_usage') },
    ledger: { ...groups.ledger, exportBytes: exporterOf('export_ledger') },
    orders: {
      ...groups.orders,
      estimate: groups.orders.createEstimate,
      waitUntil: waiter(groups.orders.get, 'order'),
    },
    instances: {
      ...groups.instances,
      followLogs: (id, options) => followLogs(logsOf(id), options),
      waitUntil: waiter(groups.instances.get, 'instance'),
    },
    images: { ...groups.images, waitUntil: waiter(groups.images.get, 'image') },
    hosts: { ...groups.hosts, waitUntil: waiter(groups.hosts.get, 'host') },
    poolTransfers: { ...groups.poolTransfers, waitUntil: waiter(groups.poolTransfers.get, 'pool_transfer') },
    statement: { ...groups.statement, waitUntil: waiter(groups.statement.get, 'statement') },
    pendingCredits: {
      ...groups.pendingCredits,
      waitUntil: waiter(groups.pendingCredits.get, 'pending_credit'),
    },
    agentRollouts: {
      ...groups.agentRollouts,
      waitUntil: waiter(groups.agentRollouts.get, 'agent_rollout'),
    },
    pools: { ...groups.pools, waitUntil: waiter((id, options) => groups.pools.get(id, {}, options)) },
    deployments: {
      ...groups.deployments,
      estimate: groups.deployments.createEstimate,
      waitUntil: waiter(groups.deployments.get),
    },
    procurements: {
      ...groups.procurements,
      estimate: groups.procurements.createEstimate,
      waitUntil: waiter(groups.procurements.get),
    },
  }
}

function waiter<I, T>(get: (id: I, options?: RequestOptions) => Promise<T>, kind?: KnownKind): Waiter<I, T> {
  return (id, until, options) => waitUntil((own) => get(id, own), until, options, kind)
}
