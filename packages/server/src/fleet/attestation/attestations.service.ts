/** What instances run on, as their hosts state it and the server countersigns it. */
import type { reportMachineStatements as reportContract, StatementRefusal } from '@bourse/api/fleet/agent-statements.ts'
import {
  attestationType,
  type getInstanceAttestation as getContract,
  type InstanceAttestation,
  type MachineHardware,
  machineHardwareOf,
  statementSecondsMax,
} from '@bourse/api/fleet/attestation.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { signStatement } from '../../core/keys/statements.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { findSkuFor } from '../../market/skus/skus.service.ts'
import { opaqueHost } from '../hardware/host-fit.rules.ts'
import { goneHost } from '../hosts/hosts.rules.ts'
import { lockHosts, readRealNow } from '../hosts/hosts.service.ts'
import { loadInstance } from '../instances/instances.service.ts'
import {
  type AttestedMachineRow,
  findAttestedMachine,
  listStatedMachines,
  putStatements,
  type StatementRow,
} from './attestations.store.ts'
import { statedHardware } from './statements.rules.ts'
import { verifyStatement } from './statements.service.ts'

/** Stores what a host states about its machines, as far as it may state it. */
export async function recordStatements(
  ctx: Ctx,
  { body: { epoch, statements } }: Input<typeof reportContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof reportContract>> {
  const [host] = await lockHosts(ctx, [host_id])
  if (!host || host.state === 'retired') throw new Refusal(goneHost(host))
  if (epoch < host.epoch) refuse('stale_epoch', 'The host has enrolled again. Use its newer epoch.')
  const ids = statements.map(({ instance }) => instance)
  const [now, machines] = await Promise.all([readRealNow(ctx), listStatedMachines(ctx.db, host_id, ids)])
  const taken = new Map<string, StatementRow>()
  const refused: { instance: Id<'instance'>; reason: StatementRefusal }[] = []
  for (const { instance, ...sent } of statements) {
    const machine = machines.find(({ instance_id }) => instance_id === instance)
    const result = machine ? await verifyStatement(sent, machine, now) : ({ reason: 'unknown_machine' } as const)
    if ('reason' in result) refused.push({ instance, reason: result.reason })
    else {
      const { claims, machine_key } = result
      const row = { instance_id: instance, statement: sent.statement, machine_key, expires_at: claims.exp }
      taken.set(instance, row)
    }
  }
  if (taken.size > 0) await putStatements(ctx.db, [...taken.values()])
  for (const { instance, reason } of refused) {
    ctx.log.warn({ request_id: ctx.request_id, host_id, instance_id: instance, reason }, 'A statement was not taken.')
  }
  return { refused }
}

/**
 * Signs what an instance runs on. Refuses `not_attested` if it has no machine, or if its host has stated nothing that
 * is still good. Times are real: whoever verifies it has no other clock.
 */
export async function getAttestation(
  ctx: Ctx,
  { params: { id } }: Input<typeof getContract>,
): Promise<InstanceAttestation> {
  const instance = await loadInstance(ctx, id)
  await allow(ctx, 'instance:read', instance)
  const { account_id, sku_id, state } = instance
  const isPlaced = state === 'running' || state === 'failed'
  const [row, sku, now] = await Promise.all([
    isPlaced ? findAttestedMachine(ctx.db, instance.id) : undefined,
    findSkuFor(ctx, account_id, sku_id),
    readRealNow(ctx),
  ])
  if (!row) refuse('not_attested', `The instance has no machine: it is ${state}.`)
  const { hardware, signed, expires_at } = row.is_simulated
    ? simulatedStatement(row, sku?.properties, now)
    : hostStatement(row, now)
  const host = opaqueHost(account_id, row.host_id)
  const simulated = row.is_simulated || sku?.simulated === true
  const shown = { sku: sku_id, host, simulated }
  const times = { iat: now, exp: expires_at }
  const claims = { iss: ctx.keys.token_audience, sub: instance.id, ...shown, ...times, ...signed }
  const jws = await signStatement(ctx.keys.signing, attestationType, claims)
  return {
    object: 'instance_attestation',
    instance: instance.id,
    ...shown,
    attested_at: now,
    expires_at,
    hardware,
    jws,
  }
}

type StatedHardware = { readonly hardware: MachineHardware; readonly signed: object; readonly expires_at: number }

/** What an agent has stated, with the key that signed it. */
function hostStatement({ statement, machine_key, expires_at }: AttestedMachineRow, now: number): StatedHardware {
  if (statement === null || machine_key === null || expires_at === null) {
    refuse(
      'not_attested',
      'The host of the instance has stated nothing about it yet. Hosts with an older agent never do.',
    )
  }
  if (expires_at <= now) {
    const message = `The last statement of the host of the instance expired at ${expires_at}. The host may be silent.`
    refuse('not_attested', message)
  }
  const cnf = { jwk: { kty: 'OKP', crv: 'Ed25519', x: machine_key } }
  return { hardware: statedHardware(statement), signed: { cnf, statement }, expires_at }
}

type HardwareSizes = {
  readonly [name in 'num_vcpus' | 'memory_bytes' | 'local_storage_bytes']?: { readonly value: number }
}

/** A simulated host has no agent and no key: the server alone says what it pretends to have. */
function simulatedStatement(
  { facts, slot_hardware }: AttestedMachineRow,
  sku: HardwareSizes = {},
  now: number,
): StatedHardware {
  if (!facts.hardware) refuse('not_attested', 'The simulated host of the instance has no hardware to name.')
  const machine = {
    num_vcpus: sku.num_vcpus?.value ?? null,
    memory_bytes: sku.memory_bytes?.value ?? null,
    storage_bytes: sku.local_storage_bytes?.value ?? null,
  }
  const { accelerators = [], rdma = [], nvswitches = [] } = slot_hardware ?? {}
  const devices = [...accelerators.map(({ pci }) => pci), ...rdma, ...nvswitches]
  const hardware = machineHardwareOf(facts.hardware, machine, devices)
  return { hardware, signed: { hardware }, expires_at: now + statementSecondsMax }
}
