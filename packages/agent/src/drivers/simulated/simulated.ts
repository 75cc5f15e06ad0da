/**
 * Machines that are files: for trials of the agent and for scale runs. They boot in no time, say what they do, and stop
 * when asked to; nothing answers at their address.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readIfThere, removeAll, writeWhole } from '../../files.ts'
import type { Driver, MachineSpec } from '../driver.ts'

const stateFile = 'simulated.json'
const consoleFile = 'console.log'
const firstPort = 20_000

/** Makes the driver. */
export function simulatedDriver(): Driver {
  const say = async (spec: MachineSpec, line: string) => {
    const path = join(spec.directory, consoleFile)
    await writeWhole(path, `${(await readIfThere(path)) ?? ''}${line}\n`)
  }
  return {
    name: 'simulated',
    network: 'full',
    needs_image: false,
    probe: async () => ({
      is_fit: true,
      findings: [{ what: 'simulated machines', is_good: true, says: 'nothing runs for real' }],
    }),
    prepare: async (spec, user_data) => {
      const bytes = user_data === null ? 'no user data' : `${user_data.length} bytes of user data`
      await say(spec, `${spec.hostname}: prepared on slot ${spec.slot}, ${bytes}`)
    },
    start: async (spec) => {
      await writeWhole(join(spec.directory, stateFile), JSON.stringify({ is_running: true }))
      await say(spec, `${spec.hostname}: booted`)
    },
    adopt: async (spec) => (await readIfThere(join(spec.directory, stateFile))) !== undefined,
    stop: async (spec) => {
      await removeAll(join(spec.directory, stateFile))
      await say(spec, `${spec.hostname}: stopped`)
    },
    destroy: async (spec) => {
      await removeAll(join(spec.directory, stateFile))
    },
    console: async (spec, from, most) => {
      const text = Buffer.from((await readIfThere(join(spec.directory, consoleFile))) ?? '')
      return text.subarray(from, from + most)
    },
    endpoints: async (spec) => ({
      hostname: 'simulated.invalid',
      port: firstPort + spec.slot,
      host_keys: [{ key_type: 'ssh-ed25519', key: createHash('sha256').update(spec.id).digest('base64') }],
    }),
    tell: async (spec, notice) =>
      say(spec, notice ? `will end at ${notice.deadline_at}: ${notice.reason}` : 'will not end'),
    // Only a fault would end one, and there are none here.
    onEnd: () => {},
  }
}
