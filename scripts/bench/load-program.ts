/**
 * Requests pages from a server over plain sockets, as fast as it responds. Requests are ready bytes and responses are
 * barely parsed, so that this program is never the slower side. Writes one line for each job that it reads.
 */
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A job stores requests under a name, or sends the stored ones. Each round continues where the last one stopped. */
type Keep = { readonly keep: string; readonly paths: readonly string[]; readonly tokens: readonly string[] }
type LoadJob = {
  readonly requests: string
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
}
type KeptRequests = { readonly requests: readonly Buffer[]; readonly next: number[] }

/** The result of a job. Times of single responses are in milliseconds. */
type Outcome = {
  responses: number
  failures: number
  seconds: number
  p50: number
  p99: number
  bytes: number
  mean: number
}

const headEnd = Buffer.from('\r\n\r\n')
const lengthHeader = Buffer.from('Content-Length: ')

const kept = new Map<string, KeptRequests>()

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as Keep | LoadJob
  if ('keep' in job) kept.set(job.keep, { requests: job.paths.map((path, i) => requestOf(job, path, i)), next: [] })
  console.log('keep' in job ? '{}' : JSON.stringify(await run(job)))
}

async function run(job: LoadJob): Promise<Outcome> {
  const requests = kept.get(job.requests)
  if (!requests) throw new Error(`No requests are stored under ${job.requests}.`)
  const tally = { responses: 0, failures: 0, bytes: 0, times: [] as number[] }
  const started = performance.now()
  const until = started + job.milliseconds
  await Promise.all(Array.from({ length: job.connections }, (_, i) => converse(job, requests, i, until, tally)))
  const seconds = (performance.now() - started) / 1000
  const times = tally.times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length)
  const { responses, failures, bytes } = tally
  return { responses, failures, seconds, p50: at(0.5), p99: at(0.99), bytes, mean }
}

function requestOf({ tokens }: Keep, path: string, i: number): Buffer {
  const token = tokens.length === 0 ? '' : `Authorization: Bearer ${tokens[i % tokens.length]}\r\n`
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${token}\r\n`)
}

type Tally = { responses: number; failures: number; bytes: number; times: number[] }

/** One connection: sends a request, however late it is, waits for the whole response, sends the next one. */
function converse(
  job: LoadJob,
  { requests, next }: KeptRequests,
  which: number,
  until: number,
  tally: Tally,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true })
    next[which] ??= Math.floor((which * requests.length) / job.connections)
    let asked = 0
    let missing = -1
    let head: Buffer | undefined
    const ask = () => {
      asked = performance.now()
      const at = next[which] as number
      socket.write(requests[at] as Buffer)
      next[which] = (at + 1) % requests.length
    }
    const finish = () => {
      tally.responses++
      tally.times.push(performance.now() - asked)
      missing = -1
      if (performance.now() < until) ask()
      else socket.end()
    }
    socket.on('connect', ask)
    socket.on('data', (chunk: Buffer) => {
      tally.bytes += chunk.length
      if (missing >= 0) {
        missing -= chunk.length
        if (missing <= 0) finish()
        return
      }
      const whole: Buffer = head ? Buffer.concat([head, chunk]) : chunk
      const end = whole.indexOf(headEnd)
      if (end < 0) {
        head = whole
        return
      }
      head = undefined
      if (whole[9] !== 50) tally.failures++
      missing = contentLength(whole) - (whole.length - end - headEnd.length)
      if (missing <= 0) finish()
    })
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}

function contentLength(response: Buffer): number {
  let at = response.indexOf(lengthHeader)
  if (at < 0) throw new Error(`A response has no Content-Length: ${response.toString('latin1', 0, 200)}`)
  at += lengthHeader.length
  let length = 0
  for (let digit = (response[at] as number) - 48; digit >= 0 && digit <= 9; digit = (response[++at] as number) - 48) {
    length = length * 10 + digit
  }
  return length
}
