/** The machines that a key opens. Pure. */
import type { Instance } from '@bourse/sdk'

/** A machine with a key; `isOnly`: no other key that stays opens it. */
export type KeyHolder = { readonly id: string; readonly name: string; readonly isOnly: boolean }

type KeyedMachine = Pick<Instance, 'id' | 'name'> & {
  readonly ssh_keys?: readonly { readonly id: string; readonly state: string }[]
}

const leaving = ['removing', 'left']

/** Those that have the key, first the ones that nothing else opens. */
export function holdersOf(key: string, instances: readonly KeyedMachine[]): readonly KeyHolder[] {
  const holders = instances.flatMap(({ id, name, ssh_keys = [] }): KeyHolder[] => {
    const staying = ssh_keys.filter(({ state }) => !leaving.includes(state))
    if (!staying.some((one) => one.id === key)) return []
    return [{ id, name, isOnly: staying.length === 1 }]
  })
  return holders.toSorted((one, other) => Number(other.isOnly) - Number(one.isOnly))
}
