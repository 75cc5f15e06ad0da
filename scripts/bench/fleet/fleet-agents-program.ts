/**
 * Simulated agents over plain sockets. Each waits for its desired state on one connection and reports on another one
 * from time to time. Writes one line for each job that it reads.
 */
import { randomUUID, sign } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { agentTokenSecondsMax, agentTokenType } from '@bourse/api/fleet/agent.ts'
import { after, wallMilliseconds } from '../../../packages/server/src/core/base/clock.ts'
import { createCryptoRandom } from '../../../packages/server/src/core/base/random.ts'
import { hostId, hostKey, instanceId } from '../../../packages/server/test/support/big-fleet.ts'
import { pause } from '../../../packages/text/src/time/pause.ts'
import type { AgentJob, AgentTimes, AgentWorld } from './fleet-agents.ts'

type Agent = {
  readonly number: number
  readonly machines: { id: string; generation: number }[]
  generation: number
  token: string
  token_until: number
}
type Answer = { readonly status: number; readonly body: string }

const waitSeconds = 55
const rampStep = 100

const world = JSON.parse(process.argv[2] as string) as AgentWorld
const { port, agents: count, audience, ramp_milliseconds, report_milliseconds, longest_wait_milliseconds } = world
const agents = Array.from({ length: count }, (_, number): Agent => {
  const machines = [{ id: instanceId(number), generation: 1 }]
  return { number, machines, generation: 1, token: '', token_until: 0 }
})
const random = createCryptoRandom()
const reports = { times: [] as number[], failures: 0, errors: new Set<string>() }
/** Called for an instance that an agent receives for the first time. */
let onChange: (id: string) => void = () => {}

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await work(JSON.parse(line) as AgentJob)))
}
process.exit(0)

async function work(job: AgentJob): Promise<AgentTimes> {
  if (job.kind === 'start') await start()
  if (job.kind === 'orders') return order(job)
  if (job.kind === 'return') await returnAll()
  const from = job.kind === 'return' ? 0 : reports.times.length
  if (job.kind !== 'return') reports.failures = 0
  if (job.kind === 'report') await pause(job.milliseconds)
  return timesOf(reports.times.slice(from), reports.failures)
}

async function start(): Promise<void> {
  for (let number = 0; number < count; ) {
    const until = Math.min(count, number + Math.ceil((count * rampStep) / ramp_milliseconds))
    for (; number < until; number++) {
      const agent = agents[number] as Agent
      void follow(agent)
      after(((number * 7919) % count) * (report_milliseconds / count), () => void reportAgain(agent))
    }
    await pause(rampStep)
  }
}

/** All agents have failed for minutes, so each one returns within its maximum delay, and retries until it succeeds. */
async function returnAll(): Promise<void> {
  await Promise.all(
    agents.map(async (agent) => {
      do await pause(random.integer(longest_wait_milliseconds))
      while (!(await report(agent)))
      after(report_milliseconds, () => void reportAgain(agent))
      void follow(agent)
    }),
  )
}

/** Long-polls the desired state without end. */
async function follow(agent: Agent): Promise<never> {
  for (;;) {
    try {
      const ask = await conversation()
      for (;;) {
        const path = `desired?generation=${agent.generation}&wait_seconds=${waitSeconds}`
        const { status, body } = await ask(requestOf(agent, 'GET', path))
        if (status === 200) takeDesired(agent, JSON.parse(body))
        else if (status !== 204) throw new Error(`desired: ${status} ${body}`)
      }
    } catch (error) {
      recordFailure(error)
      await pause(1_000)
    }
  }
}

type Desired = { generation: number; instances: { id: string; generation: number; action: string }[] }

function takeDesired(agent: Agent, { generation, instances }: Desired): void {
  agent.generation = generation
  for (const { id, generation: own, action } of instances) {
    if (action !== 'run' || agent.machines.some((machine) => machine.id === id)) continue
    agent.machines.push({ id, generation: own })
    onChange(id)
    void report(agent)
  }
}

async function reportAgain(agent: Agent): Promise<void> {
  after(report_milliseconds, () => void reportAgain(agent))
  await report(agent)
}

/**
 * Sends one report on a new connection: the connection of a real agent would also be closed before its next report.
 * False if the report failed.
 */
async function report(agent: Agent): Promise<boolean> {
  const instances = agent.machines.map((machine) => ({ ...machine, state: 'running' }))
  const body = JSON.stringify({ epoch: 1, generation: agent.generation, health: 'healthy', instances })
  const began = performance.now()
  try {
    const ask = await conversation()
    const { status, body: response } = await ask(requestOf(agent, 'POST', 'report', body))
    ask.close()
    if (status !== 200) throw new Error(`report: ${status} ${response}`)
    reports.times.push(performance.now() - began)
    return true
  } catch (error) {
    recordFailure(error)
    return false
  }
}

/** Buys one node at a time for waiting instances. Measures the time from each order to the agent that receives it. */
async function order({ count, ...params }: Extract<AgentJob, { kind: 'orders' }>): Promise<AgentTimes> {
  const times: number[] = []
  let failures = 0
  for (let i = 0; i < count; i++) {
    const changed = new Promise<void>((resolve) => {
      onChange = () => resolve()
    })
    await startOfWindow()
    const began = performance.now()
    try {
      const ask = await conversation()
      const { status, body } = await ask(orderOf(params))
      ask.close()
      if (status !== 201 || JSON.parse(body).state !== 'filled') throw new Error(`order: ${status} ${body}`)
      await Promise.race([changed, pause(20_000)])
      times.push(performance.now() - began)
    } catch (error) {
      failures += 1
      recordFailure(error)
    }
  }
  return timesOf(times, failures)
}

/** Waits if the current minute ends soon, because an order for it could arrive after its end. */
async function startOfWindow(): Promise<void> {
  const left = 60_000 - (wallMilliseconds() % 60_000)
  if (left < 5_000) await pause(left + 100)
}

function orderOf({ token, pool, sku, price }: Omit<Extract<AgentJob, { kind: 'orders' }>, 'kind' | 'count'>): string {
  const start_at = Math.floor(wallMilliseconds() / 60_000) * 60
  const body = JSON.stringify({
    pool,
    sku,
    side: 'buy',
    limit_price_dollars_per_node_hour: price,
    allocation_schedule_delta: [{ start_at, end_at: start_at + 3600, node_count: 1 }],
  })
  return textOf('POST', '/v2/orders', token, body)
}

function requestOf(agent: Agent, method: string, path: string, body?: string): string {
  return textOf(method, `/agent/v1/${path}`, tokenOf(agent), body)
}

function textOf(method: string, path: string, token: string, body = ''): string {
  const type = body === '' ? '' : `\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}${type}\r\n\r\n${body}`
}

function tokenOf(agent: Agent): string {
  const now = Math.floor(wallMilliseconds() / 1000)
  if (agent.token_until > now) return agent.token
  const host = hostId(agent.number)
  const exp = now + agentTokenSecondsMax
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = part({ alg: 'EdDSA', typ: agentTokenType })
  const claims = part({ iss: host, sub: host, aud: audience, iat: now, exp, jti: randomUUID() })
  const signature = sign(null, Buffer.from(`${head}.${claims}`), hostKey(agent.number)).toString('base64url')
  // Spreads the renewals. The common start is an artefact of this program.
  agent.token_until = exp - 60 - (agent.number % 120)
  agent.token = `${head}.${claims}.${signature}`
  return agent.token
}

type AgentConversation = ((request: string) => Promise<Answer>) & { close(): void }

/** Opens a connection that sends one request after the other. */
function conversation(): Promise<AgentConversation> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let got = ''
    let done: { resolve(response: Answer): void; reject(error: Error): void } | undefined
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      got += chunk
      const end = got.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(got.slice(0, end))?.[1] ?? 0)
      if (got.length < end + 4 + length) return
      done?.resolve({ status: Number(got.slice(9, 12)), body: got.slice(end + 4) })
      got = ''
    })
    const fail = (error: Error) => {
      reject(error)
      done?.reject(error)
    }
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('The server closed a connection.')))
    const ask = (request: string) =>
      new Promise<Answer>((resolve, reject) => {
        done = { resolve, reject }
        socket.write(request)
      })
    socket.on('connect', () => resolve(Object.assign(ask, { close: () => socket.destroy() })))
  })
}

function recordFailure(error: unknown): void {
  reports.failures += 1
  const { message } = error as Error
  if (reports.errors.size < 5 && !reports.errors.has(message)) console.error(message)
  reports.errors.add(message)
}

function timesOf(times: number[], failures: number): AgentTimes {
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, failures, p50: at(0.5), p99: at(0.99), max: at(1) }
}
