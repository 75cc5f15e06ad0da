/**
 * Simulated machines that consist of files, for trials of the agent and for scale tests. They boot at once, write to
 * their console and stop on request. Nothing answers at their addresses. Only an injected fault ends them otherwise.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { simulatedHostname } from '@bourse/api/fleet/agent.ts'
import { readIfThere, removeAll, writeWhole } from '../../files.ts'
import type { Driver, MachineEnd, MachineSpec } from '../driver.ts'

/** The driver, and a way to inject faults. */
type SimulatedDriver = Driver & {
  /** Ends a machine without a request. */
  fail(spec: MachineSpec, end: MachineEnd): Promise<void>
}

type SimulatedState = { readonly id: string; readonly end: MachineEnd | null }

const stateFile = 'simulated.json'
const keysFile = 'authorized_keys'
const consoleFile = 'console.log'
const firstPort = 20_000

/** Creates the driver. */
export function simulatedDriver(): SimulatedDriver {
  const listeners: ((id: string, end: MachineEnd) => void)[] = []
  return {
    name: 'simulated',
    network: 'full',
    needs_image: false,
    probe: async () => ({
      is_fit: true,
      findings: [{ subject: 'simulated machines', is_good: true, message: 'no real machines run' }],
    }),
    prepare: async (spec, userData) => {
      const bytes = userData === null ? 'no user data' : `${userData.length} bytes of user data`
      await writeKeys(spec)
      await writeLine(spec, `${spec.hostname}: prepared on slot ${spec.slot}, ${bytes}`)
    },
    start: async (spec, signal) => {
      if (signal.aborted) return
      await writeState(spec, { id: spec.id, end: null })
      await writeLine(spec, `${spec.hostname}: booted`)
    },
    adopt: async (spec) => {
      const state = await readState(spec)
      return state?.id === spec.id ? (state.end ?? undefined) : 'machine_lost'
    },
    stop: async (spec) => {
      if (!(await readState(spec))) return
      await removeAll(join(spec.directory, stateFile))
      await writeLine(spec, `${spec.hostname}: stopped`)
    },
    destroy: async (spec) => {
      await removeAll(join(spec.directory, keysFile))
      await removeAll(join(spec.directory, stateFile))
    },
    console: async (spec, from, most) => {
      const text = Buffer.from((await readIfThere(join(spec.directory, consoleFile))) ?? '')
      return { first_byte: from, bytes: text.subarray(from, from + most) }
    },
    endpoints: async (spec) => {
      if ((await readState(spec))?.end !== null) return undefined
      const key = createHash('sha256').update(spec.id).digest('base64')
      const host_keys = [{ key_type: 'ssh-ed25519', key }]
      return { hostname: simulatedHostname, port: firstPort + spec.slot, host_keys }
    },
    syncKeys: async (spec) => {
      if ((await readState(spec))?.end !== null) return undefined
      await writeKeys(spec)
      return (spec.ssh_keys ?? []).map(({ id }) => id).sort()
    },
    setNotice: async (spec, notice) =>
      writeLine(spec, notice ? `will end at ${notice.deadline_at}: ${notice.reason}` : 'will not end'),
    onEnd: (listener) => void listeners.push(listener),
    fail: async (spec, end) => {
      await writeState(spec, { id: spec.id, end })
      await writeLine(spec, `${spec.hostname}: ended, ${end}`)
      for (const listener of listeners) listener(spec.id, end)
    },
  }
}

async function writeLine(spec: MachineSpec, line: string): Promise<void> {
  const path = join(spec.directory, consoleFile)
  await writeWhole(path, `${(await readIfThere(path)) ?? ''}${line}\n`)
}

async function readState({ directory }: MachineSpec): Promise<SimulatedState | undefined> {
  const text = await readIfThere(join(directory, stateFile))
  return text === undefined ? undefined : (JSON.parse(text) as SimulatedState)
}

/** Writes down the keys that open the machine. */
function writeKeys({ directory, ssh_keys = [] }: MachineSpec): Promise<void> {
  return writeWhole(join(directory, keysFile), ssh_keys.map(({ public_key }) => `${public_key}\n`).join(''))
}

async function writeState({ directory }: MachineSpec, state: SimulatedState): Promise<void> {
  await writeWhole(join(directory, stateFile), JSON.stringify(state))
}
