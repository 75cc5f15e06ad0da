// What hosts state about their machines: as it is sent, as it is stored, and for how long it is good.

import {
  type MachineClaims,
  type MachineHardware,
  machineHardware,
  statementSecondsAhead,
  statementSecondsMax,
} from '@bourse/api/fleet/attestation.ts'
import { knownMembers } from '@bourse/api/fleet/hardware.ts'

/** A machine, with the key of its host. */
export type StatedMachine = {
  readonly instance_id: string
  readonly host_id: string
  readonly slot: number
  readonly public_key: string | null
}

/** What a host sends about one machine. */
export type SentStatement = { readonly statement: string; readonly key_proof: string }

/** A statement that is taken. */
export type TakenStatement = { readonly claims: MachineClaims; readonly machine_key: string }

/** Made before now, not yet expired, and for no longer than allowed. */
export function isTimely({ iat, exp }: Pick<MachineClaims, 'iat' | 'exp'>, now: number): boolean {
  return iat <= now + statementSecondsAhead && exp > now && exp <= iat + statementSecondsMax
}

/** What a statement that was verified says about hardware, without what only a newer agent knows. */
export function statedHardware(statement: string): MachineHardware {
  const [, payload = ''] = statement.split('.')
  const { hardware } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as MachineClaims
  return knownMembers(machineHardware, hardware) as MachineHardware
}
