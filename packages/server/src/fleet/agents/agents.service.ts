/** What the agents of hosts ask of the server, each about its own host (docs/concepts/hosts.md). */
import {
  type enrolHost as enrolContract,
  type redeemUserDataTicket as redeemContract,
  type reportHost as reportContract,
  reportEverySeconds,
} from '@bourse/api/fleet/agent.ts'
import { type HostFacts, hostFactFields } from '@bourse/api/fleet/hosts.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { PlainRequest } from '../../core/http/routes.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { lockCapacity } from '../../market/pools/capacity.service.ts'
import { findSkuFor } from '../../market/skus/skus.service.ts'
import { type Permit, redeemEnrolment, useEnrolment } from '../hosts/host-enrolments.service.ts'
import { addHost, lockHosts, readRealNow } from '../hosts/hosts.service.ts'
import { findMachine, tellHosts } from '../hosts/machines.service.ts'
import { openUserData } from '../instances/cloud-init.service.ts'
import { findInstance } from '../instances/instances.service.ts'
import { bindHost, findHostByKey, updateIntroduced } from './agents.store.ts'
import { takeReport } from './report-batches.service.ts'
import { isTicketOf } from './user-data-tickets.service.ts'

type Introduction = Input<typeof enrolContract>['body']

/**
 * Enrols a host with a permit. Its key is its identity: who comes again with it is the same host, in its next epoch, as
 * long as the permit is one of its account's. Refuses `authentication_error` for every defect of the permit.
 */
export async function enrolHost(ctx: Ctx, body: Introduction): Promise<Output<typeof enrolContract>> {
  const permit = await redeemEnrolment(ctx, body.enrol_token)
  if (!permit) refuseToken()
  const known = await findHostByKey(ctx.db, body.public_key)
  const { host, epoch } =
    known === undefined ? await addEnrolled(ctx, permit, body) : await addAgain(ctx, permit, known, body)
  return {
    host,
    epoch,
    report_every_seconds: reportEverySeconds,
    server_time: await readRealNow(ctx),
    audience: ctx.keys.token_audience,
  }
}

async function addEnrolled(ctx: Ctx, permit: Permit, { public_key, name, agent_version, facts }: Introduction) {
  if (permit.ended_at !== null || permit.used >= permit.uses) refuseToken()
  const { id: enrolment_id, account_id, workspace_id, sku_id, slots } = permit
  await lockCapacity(ctx, sku_id)
  const sku = await findSkuFor(ctx, account_id, sku_id)
  if (!sku || sku.deleted_at !== null) {
    refuse('sku_not_available', 'The SKU of this permit is retired. Make a permit for another one.', 'enrol_token')
  }
  refuseWithoutPartitions(sku, facts)
  await useEnrolment(ctx, permit)
  const place = { account_id, workspace_id, sku_id, is_simulated: false }
  const host = await addHost(ctx, { ...place, slots, facts: knownFacts(facts), agent_version, name })
  await bindHost(ctx.db, { id: host, public_key, enrolment_id })
  return { host, epoch: 1 }
}

async function addAgain(ctx: Ctx, permit: Permit, known: Id<'host'>, { agent_version, facts }: Introduction) {
  const [host] = await lockHosts(ctx, [known])
  // A key that another account has enrolled is nobody's to take over.
  if (host?.account_id !== permit.account_id || host.state === 'retired') refuseToken()
  refuseWithoutPartitions(await findSkuFor(ctx, host.account_id, host.sku_id), facts)
  // The agent of the epoch before hears of its end as it does of all else: by a newer generation.
  await tellHosts(ctx, [known])
  return { host: known, epoch: await updateIntroduced(ctx.db, { id: known, agent_version, facts: knownFacts(facts) }) }
}

type SeenSku = Awaited<ReturnType<typeof findSkuFor>>

/** What is sold with InfiniBand has to have it. */
function refuseWithoutPartitions(sku: SeenSku, { sets_partitions }: Introduction['facts']): void {
  if (sku?.properties.rdma_type?.value !== 'infiniband' || sets_partitions !== false) return
  const message = 'The SKU of this permit has InfiniBand, and the host no command that sets partitions.'
  refuse('sku_not_available', message, 'facts.sets_partitions')
}

/** What of a newer agent's facts this server knows. */
function knownFacts(facts: Record<string, unknown>): HostFacts {
  return Object.fromEntries(Object.keys(hostFactFields).map((name) => [name, facts[name]])) as HostFacts
}

/** Takes a host's report. */
export async function report(
  runtime: Runtime,
  body: Input<typeof reportContract>['body'],
  { agent, request_id }: PlainRequest,
): Promise<Output<typeof reportContract>> {
  const { host_id } = agent as AgentCaller
  return takeReport(runtime, { actor: { type: 'system' }, request_id }, { host_id, report: body })
}

/** The user data of a machine that is to start on the host. A ticket that does not hold (any more): not found. */
export async function redeemTicket(
  ctx: Ctx,
  { params: { id }, body: { ticket } }: Input<typeof redeemContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof redeemContract>> {
  const [machine, instance] = await Promise.all([findMachine(ctx, id), findInstance(ctx, id)])
  if (!machine || !instance || machine.host_id !== host_id || !isTicketOf(ctx, machine, ticket)) refuseNotFound()
  const bytes = (await openUserData(ctx, instance)) ?? refuseNotFound()
  ctx.log.info({ request_id: ctx.request_id, host_id, instance_id: id }, 'User data was read by its host.')
  return { cloud_init_user_data: bytes.toString('base64') }
}

function refuseToken(): never {
  refuse('authentication_error', 'This enrolment token is wrong, used up or too old. Make another one.')
}
