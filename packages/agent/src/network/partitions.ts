/**
 * InfiniBand partitions. The fabric manager of the operator sets the members: a command of the operator is called for
 * each machine that joins or leaves.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startFailure } from '../problems.ts'
import type { NetworkedMachine } from './plan.rules.ts'

const run = promisify(execFile)
const commandMilliseconds = 30_000
/** Runs a command with two variables beside the environment of the agent. */
const withAdapters = 'export BOURSE_ADAPTERS="$1" BOURSE_ADAPTER_GUIDS="$2"; shift 2; exec "$@"'

/**
 * Runs `COMMAND join|leave KEY INSTANCE SLOT`, with the adapters of the machine in its environment. May be repeated.
 * Throws a `StartFailure` if it fails.
 */
export async function changePartition(
  command: string | undefined,
  change: 'join' | 'leave',
  { id, slot, network: { partition_key }, adapters = [] }: NetworkedMachine,
): Promise<void> {
  if (partition_key === null) return
  if (command === undefined)
    throw startFailure('no_partition_command', 'This host has no partition command for InfiniBand.')
  const addresses = adapters.map(({ pci }) => pci).join(' ')
  const guids = adapters.map(({ guid }) => guid ?? '-').join(' ')
  const words = [addresses, guids, command, change, String(partition_key), id, String(slot)]
  await run('sh', ['-c', withAdapters, 'sh', ...words], { timeout: commandMilliseconds }).catch(
    (error: { stderr?: string; message: string }) => {
      const output = error.stderr?.trim().split('\n').at(-1) || error.message
      throw startFailure('partition_refused', `The partition command failed to ${change}: ${output}`)
    },
  )
}
