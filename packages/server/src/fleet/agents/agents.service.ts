/** Requests of agents, each about its own host: enrolment, reports and user data (docs/concepts/hosts.md). */
import {
  type declareTunnel as declareTunnelContract,
  type enrolHost as enrolContract,
  type redeemUserDataTicket as redeemContract,
  type reportHost as reportContract,
  reportEverySeconds,
} from '@bourse/api/fleet/agent.ts'
import type { reportHardware as hardwareContract } from '@bourse/api/fleet/agent-hardware.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import type { BodySecret } from '../../core/http/handlers.ts'
import type { PlainRequest } from '../../core/http/request-context.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { lockCapacity } from '../../market/pools/capacity.service.ts'
import { findSkuFor, findSkuNeeds } from '../../market/skus/skus.service.ts'
import { compareFacts, knownFacts, refuseMisfit } from '../hardware/host-fit.rules.ts'
import { recordHardware } from '../hardware/host-fit.service.ts'
import { judgeProof, proofOf, refuseEarly } from '../hosts/enrolment-proofs.rules.ts'
import { claimHostAddresses } from '../hosts/host-addresses.service.ts'
import {
  type Permit,
  permitOfSecret,
  redeemEnrolment,
  refusePartner,
  useEnrolment,
} from '../hosts/host-enrolments.service.ts'
import { goneHost } from '../hosts/hosts.rules.ts'
import { addHost, findHost, lockHosts, readRealNow } from '../hosts/hosts.service.ts'
import { bumpGenerations, findMachine } from '../hosts/machines.service.ts'
import { plainReport, withKeys } from '../hosts/reports.rules.ts'
import { openUserData } from '../instances/cloud-init.service.ts'
import { findInstance } from '../instances/instances.service.ts'
import { claimTunnel, hostEndpointChanged, releaseTunnel } from '../tunnels/tunnels.service.ts'
import { bindHost, findHostByKey, findProof, recordReenrolment } from './agents.store.ts'
import { takeReport } from './report-batches.service.ts'
import { isTicketOf } from './user-data-tickets.service.ts'

type EnrolmentParams = Input<typeof enrolContract>['body']

const tokenRefused = 'This enrolment token is invalid, used up or expired. Create another permit.'

/** The secret by which a host proves that it may enrol. */
export const permitSecret: BodySecret = {
  keyOf: ({ keys }, body) => permitOfSecret(keys.master, (body as { enrol_token?: unknown } | null)?.enrol_token),
  message: tokenRefused,
}

/**
 * Enrols a host with a permit. The key of a host is its identity: enrolling again with the same key, by a permit of the
 * same account and with proof that the sender holds the key, gives the same host in its next epoch. The same request
 * once more gives the same epoch. Refuses `authentication_error` for every defect of the permit.
 */
export async function enrolHost(ctx: Ctx, body: EnrolmentParams): Promise<Output<typeof enrolContract>> {
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
    agent_signers: [...ctx.services.agent_signers],
  }
}

async function addEnrolled(ctx: Ctx, permit: Permit, body: EnrolmentParams) {
  const { public_key, name, agent_version, facts } = body
  const now = await readRealNow(ctx)
  throwIfRefused(refuseEarly(body, now))
  if (permit.ended_at !== null || permit.used >= permit.uses) refuseToken()
  const { id: enrolment_id, account_id, workspace_id, sku_id, slots } = permit
  await lockCapacity(ctx, sku_id)
  const sku = await findSkuFor(ctx, account_id, sku_id)
  if (!sku || sku.deleted_at !== null) {
    refuse('sku_not_available', 'The SKU of this permit is retired. Create a permit for another SKU.', 'enrol_token')
  }
  await refusePartner(ctx, { sku, account_id, field: 'enrol_token' })
  refuseWithoutPartitions(sku, facts)
  refuseWithoutEncryption(ctx, facts)
  const known = knownFacts(facts)
  const fit = compareFacts(known, await findSkuNeeds(ctx, sku_id), slots)
  throwIfRefused(refuseMisfit(fit))
  await useEnrolment(ctx, permit)
  const place = { account_id, workspace_id, sku_id, is_simulated: false }
  const slot_hardware = known.hardware ? fit.slots : null
  const host = await addHost(ctx, { ...place, slots, facts: known, agent_version, name, slot_hardware })
  await claimHostAddresses(ctx, host, known)
  const proof = proofOf(body, now)
  await bindHost(ctx.db, { id: host, public_key, enrolment_id, proof: proof && { ...proof, epoch: 1 } })
  return { host, epoch: 1 }
}

async function addAgain(ctx: Ctx, permit: Permit, known: Id<'host'>, body: EnrolmentParams) {
  const { agent_version, facts } = body
  const [host] = await lockHosts(ctx, [known])
  // A key that another account enrolled cannot be taken over.
  if (host?.account_id !== permit.account_id || host.state === 'retired') refuseToken()
  const [now, last] = await Promise.all([readRealNow(ctx), findProof(ctx.db, known)])
  const judged = judgeProof(body, now, last)
  if ('refusal' in judged) throw new Refusal(judged.refusal)
  if ('repeats' in judged) return { host: known, epoch: judged.repeats.epoch }
  refuseWithoutPartitions(await findSkuFor(ctx, host.account_id, host.sku_id), facts)
  refuseWithoutEncryption(ctx, facts)
  await claimHostAddresses(ctx, known, knownFacts(facts))
  if (facts.network !== 'full' || facts.encrypts_traffic === false) await releaseTunnel(ctx, known)
  if (isReachedAnew(host.facts, facts)) ctx.publish(hostEndpointChanged, known)
  // The new generation ends the wait of the agent of the former epoch, which then learns that its epoch is over.
  await bumpGenerations(ctx, [known])
  // The hardware of a host that has machines is compared by its next report: whether it still fits does not decide
  // whether its agent may speak for it.
  const { hardware, cpu_count, memory_bytes, storage_bytes, accelerators } = host.facts
  const kept = hardware ? { hardware, cpu_count, memory_bytes, storage_bytes, accelerators } : {}
  const shown = { ...knownFacts(facts), ...kept }
  const epoch = await recordReenrolment(ctx.db, { id: known, agent_version, facts: shown, proof: judged.next })
  return { host: known, epoch }
}

type AccountSku = Awaited<ReturnType<typeof findSkuFor>>

/** A host of a SKU with InfiniBand must be able to set partitions, unless its machines get no adapters. */
function refuseWithoutPartitions(sku: AccountSku, { sets_partitions }: EnrolmentParams['facts']): void {
  if (sku?.properties.rdma_type?.value !== 'infiniband' || sku.simulated || sets_partitions !== false) return
  const message = 'The SKU of this permit has InfiniBand, but the host has no partition command.'
  refuse('sku_not_available', message, 'facts.sets_partitions')
}

/** Traffic between hosts is encrypted, unless the operator of the platform accepts that it is not. */
function refuseWithoutEncryption(ctx: Ctx, { network, encrypts_traffic }: EnrolmentParams['facts']): void {
  const { accepts_unencrypted } = ctx.services.tunnel_settings
  if (network !== 'full' || encrypts_traffic !== false || accepts_unencrypted) return
  const message = 'The host has no WireGuard, and the operator of the platform does not accept unencrypted traffic.'
  refuse('encryption_required', message, 'facts.encrypts_traffic')
}

function isReachedAnew(before: HostFacts, { host_address, network, encrypts_traffic }: EnrolmentParams['facts']) {
  const isSame = before.host_address === host_address && before.network === network
  return !isSame || before.encrypts_traffic !== encrypts_traffic
}

/** Stores the key and the port of the tunnel of a host. Refuses `stale_epoch` if the host has enrolled again. */
export async function declareTunnel(
  ctx: Ctx,
  { body: { epoch, ...tunnel } }: Input<typeof declareTunnelContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof declareTunnelContract>> {
  const [host] = await lockHosts(ctx, [host_id])
  if (!host || host.state === 'retired') throw new Refusal(goneHost(host))
  if (epoch < host.epoch) refuse('stale_epoch', 'The host has enrolled again. Use its newer epoch.')
  return { address: await claimTunnel(ctx, host_id, tunnel) }
}

/** Stores the hardware of a host, and compares it with its SKU. Refuses `stale_epoch` if it has enrolled again. */
export async function reportHardware(
  ctx: Ctx,
  { body: { epoch, hardware } }: Input<typeof hardwareContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof hardwareContract>> {
  const host = await findHost(ctx, host_id)
  if (!host || host.state === 'retired') throw new Refusal(goneHost(host))
  if (epoch < host.epoch) refuse('stale_epoch', 'The host has enrolled again. Use its newer epoch.')
  const fit = await recordHardware(ctx, host, hardware)
  if (!fit) throw new Refusal(goneHost({ state: 'retired' }))
  return { fits: fit.fits, problems: [...fit.problems] }
}

/** Accepts a report of a host. */
export async function report(
  runtime: Runtime,
  body: Input<typeof reportContract>['body'],
  { agent, request_id }: PlainRequest,
): Promise<Output<typeof reportContract>> {
  const { host_id } = agent as AgentCaller
  return takeReport(
    runtime,
    { actor: { type: 'system' }, request_id, unrecorded: 'agent' },
    { host_id, report: plainReport({ ...body, instances: withKeys(body.instances) }) },
  )
}

/** Reads the user data of a machine that is starting on the host. Not found if the ticket is not or no longer valid. */
export async function redeemTicket(
  ctx: Ctx,
  { params: { id }, body: { ticket } }: Input<typeof redeemContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof redeemContract>> {
  const [machine, instance] = await Promise.all([findMachine(ctx, id), findInstance(ctx, id)])
  if (!machine || !instance || machine.host_id !== host_id || !isTicketOf(ctx, machine, ticket)) refuseNotFound()
  const bytes = (await openUserData(ctx, instance)) ?? refuseNotFound()
  ctx.log.info({ request_id: ctx.request_id, host_id, instance_id: id }, 'The host read user data.')
  return { cloud_init_user_data: bytes.toString('base64') }
}

function refuseToken(): never {
  refuse('authentication_error', tokenRefused)
}
