// Measures an agent with 64 machines against a server that only answers: how long it takes to bring its machines to a
// desired state and to report them, and what it costs while nothing changes.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeEnrolment } from '../../../packages/agent/src/identity.ts'
import type { Report } from '../../../packages/agent/src/server-calls.ts'
import type { DesiredInstance } from '../../../packages/api/src/fleet/agent.ts'
import { wallMilliseconds } from '../../../packages/server/src/core/base/clock.ts'
import { pause } from '../../../packages/text/src/time/pause.ts'
import { bench } from '../bench.ts'
import { loadCore, startChild } from '../child.ts'
import { processorMilliseconds } from '../processor-time.ts'
import { atMost, median } from '../row.ts'

const slots = 64
const goals = {
  agent_round_ms: 100,
  agent_notices_ms: 100,
  agent_idle_ms: 100,
  agent_ssh_ms: 3_000,
} as const
const roundRowNames = Object.keys(goals) as (keyof typeof goals)[]

type AgentRoundsSize = { readonly rounds: number; readonly idle_milliseconds: number }

/** The rows of one agent. */
export const roundsBench = bench<AgentRoundsSize>({
  rows: roundRowNames,
  sizes: { usual: { rounds: 30, idle_milliseconds: 10_000 }, tiny: { rounds: 1, idle_milliseconds: 100 } },
  measure: async function* (size) {
    const figures = await measure(size)
    for (const name of roundRowNames) {
      yield atMost(name, figures[name], goals[name])
    }
  },
})

async function measure({ rounds, idle_milliseconds }: AgentRoundsSize): Promise<Record<keyof typeof goals, number>> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const server = stack.use(await openServer())
  const names = { host: 'host_bench', audience: 'bench', epoch: 1 }
  await writeEnrolment(directory, { server: server.url, ...names })
  const agent = stack.use(await startChild(join('machines', 'agent-round-program.ts'), { directory }, loadCore))
  const machines = Array.from({ length: slots }, (_, slot) => machine(slot, 'host'))
  await server.set(machines)
  await server.until(({ instances }) => instances.filter(({ ssh }) => ssh).length === slots)
  const unchanged: number[] = []
  const notices: number[] = []
  for (let round = 1; round <= rounds; round++) {
    unchanged.push(await server.set(machines))
    const ending = machines.map((one) => ({ ...one, terminate_at: 2_000_000_000 + round }))
    notices.push(await server.set(ending))
    await server.set(machines)
  }
  const [used, began] = [processorMilliseconds(agent.pid) ?? 0, wallMilliseconds()]
  await pause(idle_milliseconds)
  const spent = (processorMilliseconds(agent.pid) ?? 0) - used
  const seconds = (wallMilliseconds() - began) / 1000
  return {
    agent_round_ms: median(unchanged),
    agent_notices_ms: median(notices),
    agent_idle_ms: spent / seconds,
    agent_ssh_ms: await sshBeside(server),
  }
}

/** How long it takes until the last of 64 machines is reported with its shell, while the others boot. */
async function sshBeside(server: BenchServer): Promise<number> {
  await server.set([])
  const machines = Array.from({ length: slots }, (_, slot) => machine(slots + slot, slot + 1 < slots ? 'slow' : 'host'))
  const began = wallMilliseconds()
  await server.set(machines)
  await server.until(({ instances }) => instances.some(({ ssh }) => ssh))
  return wallMilliseconds() - began
}

type BenchServer = Awaited<ReturnType<typeof openServer>>

/** The part of a server that an agent calls. */
async function openServer() {
  let generation = 0
  let instances: readonly DesiredInstance[] = []
  let waiting: (() => void) | undefined
  const watchers = new Set<(report: Report) => void>()
  const desired = () => ({
    object: 'desired_state',
    generation,
    epoch: 1,
    server_time: 0,
    cordoned: false,
    report_every_seconds: 30,
    tunnel: null,
    instances,
  })
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://host')
    const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (pathname.endsWith('/desired')) {
      const isNew = Number(searchParams.get('generation') ?? -1) < generation
      if (isNew) return answer(desired())
      waiting = () => answer(desired())
      return undefined
    }
    const body = JSON.parse(await text(request))
    if (pathname.endsWith('/logs')) return answer({ next_seqnum: body.chunks.at(-1).seqnum + 1 })
    if (pathname.endsWith('/hardware')) return answer({ fits: true, problems: [] })
    for (const watcher of watchers) watcher(body)
    return answer({ desired_generation: generation })
  }
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const until = (isMet: (report: Report) => boolean) =>
    new Promise<void>((resolve) => {
      const watcher = (report: Report) => {
        if (!isMet(report)) return
        watchers.delete(watcher)
        resolve()
      }
      watchers.add(watcher)
    })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    until,
    /** Sets the machines. Returns the milliseconds until all of them are reported with this state. */
    set: async (machines: readonly DesiredInstance[]) => {
      generation += 1
      instances = machines
      const arrived = until((report) => report.generation === generation)
      const began = performance.now()
      waiting?.()
      waiting = undefined
      await arrived
      return performance.now() - began
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function machine(number: number, hostname: string): DesiredInstance {
  const none = { private_ip: null, subnet: null, vni: null, cidr: null, public_ip: null, firewall_rules: null }
  return {
    id: `inst_${number}` as DesiredInstance['id'],
    generation: 1,
    action: 'run',
    slot: number % slots,
    hostname,
    image: null,
    user_data_ticket: null,
    terminate_at: null,
    terminate_reason: null,
    machine: { cpu_count: 1, memory_bytes: 2 ** 27, storage_bytes: null },
    network: {
      ...none,
      mac: '02:00:00:00:00:01',
      traffic: 'encrypted',
      peers: [],
      infiniband_partition: null,
      partition_key: null,
    },
  }
}
