/**
 * What this host states about its machines, for their customers. Each statement is signed with a key of the machine,
 * derived from the key of the host. So no customer can tell from two statements whether two machines of different
 * accounts share a host. The key of the host signs the key of the machine, which only the server sees.
 */
import { createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto'
import { type reportMachineStatements, statementsPerReport } from '@bourse/api/fleet/agent-statements.ts'
import {
  machineHardwareOf,
  machineKeyType,
  machineStatementType,
  statementEverySeconds,
  statementSecondsMax,
} from '@bourse/api/fleet/attestation.ts'
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import { CompactSign } from 'jose'
import { monotonic, nowSeconds } from './clock.ts'
import { publicHalf } from './identity.ts'
import type { MachineRecord } from './machine.rules.ts'

/** A signed statement, as the server takes it. */
export type MachineStatement = Input<typeof reportMachineStatements>['body']['statements'][number]

/** The host that states something. */
type StatingHost = { readonly key: KeyObject; readonly host: string }

/** The part of a machine's journal that a statement is about. */
export type StatedRecord = Pick<MachineRecord, 'id' | 'phase' | 'generation' | 'wanted'>

/** What the statements of an agent need. */
export type StatementOptions = StatingHost & {
  /** The PCI addresses of the devices that a machine has. */
  readonly devicesOf: (id: string) => readonly string[]
  /** Sends statements. Undefined: the server is older and does not take them. */
  readonly send: (
    statements: readonly MachineStatement[],
    signal: AbortSignal,
  ) => Promise<Output<typeof reportMachineStatements> | undefined>
  readonly log: (message: string, fields: object) => void
}

/** Keeps the statements of all machines of a host up to date. */
export type Statements = {
  /** States what is due, for at most as many machines as one report takes. */
  step(records: readonly StatedRecord[], hardware: HostHardware, signal: AbortSignal): Promise<void>
}

/** How long after a failure statements are sent again. */
const retrySeconds = 60
/** The bytes of a PKCS #8 Ed25519 key before its seed (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key of a machine. The same machine of the same host always has the same. */
export function machineKey(key: KeyObject, instance: string): KeyObject {
  const secret = Buffer.from(key.export({ format: 'jwk' }).d as string, 'base64url')
  const seed = Buffer.from(hkdfSync('sha256', secret, '', `bourse machine ${instance}`, 32))
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
}

/** States what a machine has. */
export async function stateMachine(
  { key, host }: StatingHost,
  { id, wanted }: Pick<StatedRecord, 'id' | 'wanted'>,
  { hardware, devices }: { hardware: HostHardware; devices: readonly string[] },
): Promise<MachineStatement> {
  const own = machineKey(key, id)
  const { cpu_count: num_vcpus, memory_bytes, storage_bytes } = wanted.machine
  const iat = nowSeconds()
  const has = machineHardwareOf(hardware, { num_vcpus, memory_bytes, storage_bytes }, devices)
  const claims = { sub: id, iat, exp: iat + statementSecondsMax, slot: wanted.slot, hardware: has }
  const cnf = { jwk: { kty: 'OKP', crv: 'Ed25519', x: publicHalf(own) } }
  return {
    instance: id as MachineStatement['instance'],
    statement: await sign(own, machineStatementType, claims),
    key_proof: await sign(key, machineKeyType, { iss: host, sub: id, cnf }),
  }
}

/** Opens the statements of an agent. After a start of the agent it states everything again. */
export function openStatements(options: StatementOptions): Statements {
  const stated = new Map<string, { readonly at: number; readonly generation: number }>()
  return {
    step: async (records, hardware, signal) => {
      const running = records.filter(({ phase }) => phase === 'running')
      for (const id of stated.keys()) if (!running.some((record) => record.id === id)) stated.delete(id)
      const due = running.filter((record) => isDue(stated.get(record.id), record)).slice(0, statementsPerReport)
      if (due.length === 0) return
      const at = monotonic()
      const statements = await Promise.all(
        due.map((record) => stateMachine(options, record, { hardware, devices: options.devicesOf(record.id) })),
      )
      const mark = (moment: number) => {
        for (const { id, generation } of due) stated.set(id, { at: moment, generation })
      }
      // What fails is sent again after a while, and not each second.
      mark(at - (statementEverySeconds - retrySeconds) * 1000)
      const response = await options.send(statements, signal)
      mark(at)
      for (const { instance, reason } of response?.refused ?? []) {
        options.log('The server did not take a statement about a machine.', { id: instance, reason })
      }
    },
  }
}

function isDue(before: { at: number; generation: number } | undefined, { generation }: StatedRecord): boolean {
  if (before === undefined || before.generation !== generation) return true
  return monotonic() - before.at >= statementEverySeconds * 1000
}

function sign(key: KeyObject, typ: string, claims: object): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: 'EdDSA', typ }).sign(key)
}
