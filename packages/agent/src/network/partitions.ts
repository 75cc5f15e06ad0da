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

/** Runs `COMMAND join|leave KEY INSTANCE SLOT`. May be repeated. Throws a `StartFailure` if it fails. */
export async function changePartition(
  command: string | undefined,
  change: 'join' | 'leave',
  { id, slot, network: { partition_key } }: NetworkedMachine,
): Promise<void> {
  if (partition_key === null) return
  if (command === undefined)
    throw startFailure('no_partition_command', 'This host has no partition command for InfiniBand.')
  await run(command, [change, String(partition_key), id, String(slot)], { timeout: commandMilliseconds }).catch(
    (error: { stderr?: string; message: string }) => {
      const output = error.stderr?.trim().split('\n').at(-1) || error.message
      throw startFailure('partition_refused', `The partition command failed to ${change}: ${output}`)
    },
  )
}
