/** What an instance shows of its SSH keys. Pure. */
import type { Instance } from '@bourse/api/fleet/instances.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { MachineSshKeys } from '../hosts/reports.rules.ts'

/** A key of an instance, and which keys its machine has, as its host reports. */
export type InstanceSshKeyRow = {
  instance_id: Id<'instance'>
  ssh_key_id: Id<'ssh_key'>
  name: string
  fingerprint: string
  removed_at: number | null
  /** Null: there is no machine, or its host does not say. */
  reported: MachineSshKeys | null
}

type ShownKey = NonNullable<Instance['ssh_keys']>[number]

/** The keys that an instance shows. A deleted key is shown as long as its machine has it. */
export function shownSshKeys(rows: readonly InstanceSshKeyRow[]): ShownKey[] {
  return rows.flatMap((row) => {
    const state = stateOfKey(row)
    return state === undefined ? [] : [{ id: row.ssh_key_id, name: row.name, fingerprint: row.fingerprint, state }]
  })
}

function stateOfKey({ ssh_key_id, removed_at, reported }: InstanceSshKeyRow): ShownKey['state'] | undefined {
  const isInMachine = reported?.ids.includes(ssh_key_id) ?? false
  if (removed_at === null) return isInMachine ? 'present' : 'waiting'
  if (!isInMachine) return undefined
  return reported?.has_channel ? 'removing' : 'left'
}
