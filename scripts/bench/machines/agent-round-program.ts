/**
 * The agent of a host with simulated machines, for the bench of its rounds. A machine named `slow…` looks like one
 * whose guest boots: its port accepts connections and sends nothing. Prints a line when it starts, and ends with its
 * input.
 */
import { once } from 'node:events'
import { runAgent } from '../../../packages/agent/src/agent.ts'
import { simulatedDriver } from '../../../packages/agent/src/drivers/simulated/simulated.ts'
import { knownAccelerators } from '../../../packages/agent/src/facts/accelerator-models.ts'
import { readHostHardware } from '../../../packages/agent/src/facts/facts.ts'
import { pause } from '../../../packages/text/src/time/pause.ts'

const bannerMilliseconds = 1_000
const { directory } = JSON.parse(process.argv[2] as string) as { readonly directory: string }
const simulated = simulatedDriver()
const driver: typeof simulated = {
  ...simulated,
  endpoints: async (spec) => {
    if (!spec.hostname.startsWith('slow')) return simulated.endpoints(spec)
    await pause(bannerMilliseconds)
    return undefined
  },
}
const readHardware = () => readHostHardware({ directory, table: knownAccelerators })
const stopped = new AbortController()
const log = (message: string, fields: object) => {
  if (!stopped.signal.aborted) console.error(message, JSON.stringify(fields))
}
const agent = runAgent({ directory, driver, readHardware, log, random: () => 0.5 }, stopped.signal)
console.log('{}')
process.stdin.resume()
await once(process.stdin, 'end')
stopped.abort()
await agent
process.exit(0)
