/**
 * Reads event streams over plain sockets and counts their events. Entries are barely parsed, so that this program is
 * never the slower side. Writes one line for each job that it reads.
 */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** Opens streams of one server, which are kept under a name. */
type Open = { readonly open: string; readonly port: number; readonly streams: number; readonly token: string }
/** Asks for the events that the streams of a name have received. */
type Count = { readonly count: string }
/** Asks for the delay of every delivery since the numbered events were committed. Times in milliseconds since 1970. */
type Lags = { readonly lags: string; readonly commits: readonly number[] }

type KeptArrivals = { events: number; bytes: number; readonly arrivals: number[][]; closed: number }

const data = Buffer.from('\ndata: ')
const number = Buffer.from('"id":"n')
const quote = 34
const kept = new Map<string, KeptArrivals>()

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as Open | Count | Lags
  if ('open' in job) console.log(JSON.stringify(await open(job)))
  else if ('count' in job) console.log(JSON.stringify(countOf(job.count)))
  else console.log(JSON.stringify(lagsOf(job)))
}
process.exit(0)

async function open({ open: name, port, streams, token }: Open): Promise<object> {
  const own: KeptArrivals = kept.get(name) ?? { events: 0, bytes: 0, arrivals: [], closed: 0 }
  kept.set(name, own)
  const request = `GET /preview/v2/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n`
  for (let left = streams; left > 0; left -= 100) {
    const some = Array.from({ length: Math.min(100, left) }, () =>
      read(own, port, `${request}Authorization: Bearer ${token}\r\n\r\n`),
    )
    await Promise.all(some)
  }
  return {}
}

/** Resolves when the stream has begun. */
function read(own: KeptArrivals, port: number, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let isOpen = false
    socket.write(request)
    socket.on('data', (chunk: Buffer) => {
      if (!isOpen && chunk.includes('HTTP/1.1 200') === false) reject(new Error(chunk.toString('latin1', 0, 300)))
      isOpen = true
      own.bytes += chunk.length
      const at = performance.timeOrigin + performance.now()
      for (let from = chunk.indexOf(data); from >= 0; from = chunk.indexOf(data, from + data.length)) {
        own.events += 1
        note(own, chunk, from, at)
      }
      resolve()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      own.closed += 1
    })
  })
}

/** An event whose number is in the next chunk is counted and not measured. */
function note({ arrivals }: KeptArrivals, chunk: Buffer, from: number, at: number): void {
  const start = chunk.indexOf(number, from)
  const end = chunk.indexOf(quote, start + number.length)
  if (start < 0 || end < 0) return
  const which = Number(chunk.toString('latin1', start + number.length, end))
  arrivals[which] ??= []
  arrivals[which].push(at)
}

function countOf(name: string): object {
  const { events, bytes, closed } = kept.get(name) as KeptArrivals
  return { events, bytes, closed }
}

function lagsOf({ lags, commits }: Lags): object {
  const { arrivals } = kept.get(lags) as KeptArrivals
  const all: number[] = []
  for (const [which, committed] of commits.entries()) for (const at of arrivals[which] ?? []) all.push(at - committed)
  all.sort((a, b) => a - b)
  const share = (part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0
  return { measured: all.length, p50: share(0.5), p99: share(0.99), max: share(1) }
}
