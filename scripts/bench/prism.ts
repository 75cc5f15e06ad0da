// Compares `GET /v2/skus` of the server, with state and authentication, with a mock of openapi.json by Stoplight Prism.

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../../test/eventually.ts'
import { bench } from './bench.ts'
import { type Child, loadCore, pin, serverCore, startChild } from './child.ts'
import { missingPrism, prismProgram } from './prism-program.ts'
import { takeTurns, tinyPace, usualPace } from './turns.ts'
import { makeWorld } from './worlds/event-world.ts'

type MeasuredPrism = { responses: number; failures: number; seconds: number }

const goal = 10
const description = join(import.meta.dirname, '../../openapi.json')

/** The server against the mock, in responses per second. */
export const prismBench = bench({
  rows: ['prism_ratio'],
  missing: async () => missingPrism(),
  sizes: { usual: { pace: usualPace(8) }, tiny: { pace: tinyPace } },
  measure: async function* ({ pace }) {
    await using world = await makeWorld({ events: 1000, accounts: 10, skus: 60 })
    await using load: Child<unknown, MeasuredPrism> = await startChild('load-program.ts', {}, loadCore)
    await using ours = await world.serve()
    await using prism = await startPrism()
    const tokens = world.accounts.map(({ token }) => token)
    await load.ask({ keep: 'skus', paths: tokens.map(() => '/v2/skus'), tokens })
    const run = (port: number) => async (milliseconds: number) => {
      const measured = await load.ask({ requests: 'skus', port, connections: 32, milliseconds })
      const { responses, failures, seconds } = measured
      if (failures > 0) throw new Error(`prism_ratio: ${failures} of ${responses} responses were not 2xx.`)
      return { responses, figure: responses / seconds }
    }
    const sides = {
      ours: { run: run(ours.ready.port), server_pid: ours.pid, database_pid: world.database_pid },
      against: { run: run(prism.port), server_pid: prism.pid },
    }
    yield await takeTurns({ name: 'prism_ratio', goal, pace, ...sides })
  },
})

async function startPrism(): Promise<AsyncDisposable & { readonly port: number; readonly pid: number }> {
  const port = await freePort()
  const options = ['mock', description, '--port', String(port), '--host', '127.0.0.1', '--multiprocess', 'false']
  const child = spawn(process.execPath, [prismProgram(), ...options], { stdio: 'ignore' })
  pin(child.pid as number, serverCore)
  await untilAnswers(`http://127.0.0.1:${port}/v2/skus`)
  return {
    port,
    pid: child.pid as number,
    [Symbol.asyncDispose]: async () => {
      child.kill()
    },
  }
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits for a response with a wanted status. */
export async function untilAnswers(url: string, isWanted: (status: number) => boolean = () => true): Promise<void> {
  const ask = () =>
    fetch(url).then(
      ({ status }) => isWanted(status),
      () => false,
    )
  await eventually(`${url} responds`, ask, { usual_seconds: 5 })
}
