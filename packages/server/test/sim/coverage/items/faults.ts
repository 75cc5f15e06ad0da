/** Each fault at each failpoint of a keyed command, and duplicates of a paused command. */
import { allFaults } from '../../options.ts'
import type { ReplicaFault } from '../../replicas/replicas.ts'
import { type Item, injected, refusal } from '../item.ts'

function itemOf(fault: ReplicaFault): Item {
  return {
    name: `${fault.kind}-${fault.at}`.replaceAll('_', '-'),
    covers: [injected(fault)],
    work: async (pass) => {
      await pass.send('create_firewall', { body: { name: pass.unique() }, key: pass.unique(), fault })
    },
  }
}

const waits: readonly Item[] = [
  {
    name: 'duplicate-of-a-paused-command',
    covers: ['duplicates', 'waits for a paused command'],
    work: async (pass) => {
      await pass.duplicate('create_firewall', { body: { name: pass.unique() }, key: pass.unique() })
    },
  },
  {
    name: 'duplicate-that-waits-too-long',
    covers: [refusal('create_firewall', 'idempotency_key_in_use')],
    work: async (pass) => {
      await pass.duplicateUntilTimeout('create_firewall', { body: { name: pass.unique() }, key: pass.unique() })
    },
  },
]

export const faultItems: readonly Item[] = [...allFaults.map(itemOf), ...waits]
