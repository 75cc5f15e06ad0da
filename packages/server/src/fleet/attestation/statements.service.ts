/** Whether what a host states about a machine is taken: signed for this machine, by this host, a moment ago. */

import { createPublicKey, type KeyObject } from 'node:crypto'
import type { StatementRefusal } from '@bourse/api/fleet/agent-statements.ts'
import {
  type MachineClaims,
  type MachineKeyClaims,
  machineClaims,
  machineKeyClaims,
  machineKeyType,
  machineStatementType,
} from '@bourse/api/fleet/attestation.ts'
import { checkOf } from '../../core/base/validate.ts'
import { openStatement } from '../../core/keys/statements.ts'
import { isTimely, type SentStatement, type StatedMachine, type TakenStatement } from './statements.rules.ts'

const checkClaims = checkOf(machineClaims)
const checkKeyClaims = checkOf(machineKeyClaims)

/**
 * Verifies a statement. The key of the host must have signed the key of the machine, for this instance, and that key
 * the statement, for this instance and its slot. `now` is the real time.
 */
export async function verifyStatement(
  { statement, key_proof }: SentStatement,
  machine: StatedMachine,
  now: number,
): Promise<TakenStatement | { readonly reason: StatementRefusal }> {
  const { instance_id, host_id, slot, public_key } = machine
  if (public_key === null) return { reason: 'unknown_machine' }
  const proven = await openStatement(key_proof, machineKeyType, keyOf(public_key))
  if (proven === undefined || checkKeyClaims(proven)) return { reason: 'bad_key' }
  const { iss, sub, cnf } = proven as MachineKeyClaims
  if (iss !== host_id || sub !== instance_id) return { reason: 'bad_key' }
  const stated = await openStatement(statement, machineStatementType, keyOf(cnf.jwk.x))
  if (stated === undefined) return { reason: 'bad_signature' }
  if (checkClaims(stated)) return { reason: 'bad_claims' }
  const claims = stated as MachineClaims
  if (claims.sub !== instance_id || claims.slot !== slot) return { reason: 'bad_claims' }
  return isTimely(claims, now) ? { claims, machine_key: cnf.jwk.x } : { reason: 'not_timely' }
}

function keyOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
