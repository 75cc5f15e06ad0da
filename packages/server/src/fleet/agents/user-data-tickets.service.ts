/**
 * Tickets with which a host reads the user data of a machine that it must start. A ticket is derived from the machine
 * and its generation, so none is stored. It is valid until the machine runs or its start is retried.
 */

import { deriveSecret, isSecretOf } from '../../core/keys/derived-secret.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { MachineRow } from '../hosts/machines.rules.ts'

type MachineStart = Pick<MachineRow, 'instance_id' | 'host_id' | 'generation'>

const pattern = /^([0-9]{1,5})\.([0-9a-f]{64})$/
const startable = [null, 'fetching', 'starting', 'start_failed'] as readonly unknown[]

/** The ticket for one start of a machine. */
export function ticketOf({ keys }: Ctx, start: MachineStart): string {
  const { key_id } = keys.master.current
  return `${key_id}.${deriveSecret(keys.master, factsOf(start), key_id)}`
}

/** Whether a ticket belongs to the current start of a machine, and the machine does not run yet. */
export function isTicketOf({ keys }: Ctx, machine: MachineRow, ticket: string): boolean {
  const [, number, secret = ''] = pattern.exec(ticket) ?? []
  const isGenuine = isSecretOf(keys.master, factsOf(machine), { key_id: Number(number), secret })
  return isGenuine && machine.action === 'run' && startable.includes(machine.state)
}

function factsOf({ instance_id, host_id, generation }: MachineStart) {
  return { purpose: 'user data ticket', facts: [instance_id, host_id, generation] }
}
