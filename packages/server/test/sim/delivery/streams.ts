/** Readers of event streams, which disconnect at any event and go on behind it, at any replica. */
import { request as open } from 'node:http'
import { limitSeconds } from '../../../../../test/eventually.ts'
import { readLog, verifyReader } from '../checks/inspection.ts'
import type { SimReader } from '../context.ts'
import { isPastWeek, openReader, weekSeconds } from '../operations/readers.ts'
import { count, freeReplica, recordViolation, type SimRun } from '../run.ts'

export type SimStreamReader = SimReader

/** One frame of a stream, without comments. */
type Frame = { readonly id: string; readonly event: any }

const readersMax = 4
const limitMilliseconds = limitSeconds(2) * 1000

/** One of the readers, or a new one. */
export function pickReader({ context, choices }: SimRun, readers: SimStreamReader[]): SimStreamReader {
  if (readers.length === 0 || (readers.length < readersMax && choices.chance(40))) readers.push(openReader(context))
  return choices.pick(readers)
}

/** Lets a reader read its next events: all of them, or sometimes only a few. */
export async function readStream(run: SimRun, reader: SimStreamReader, { isLast = false } = {}): Promise<void> {
  const { context, choices } = run
  const isOld = reader.cursor !== undefined && isPastWeek(context, reader)
  const from = reader.cursor === undefined ? context.now - weekSeconds : reader.from
  const behind = (await readLog(run.monitor.database, { ...reader, from })).slice(reader.seen.length)
  const wanted = !isLast && choices.chance(30) ? behind.slice(0, 1 + choices.integer(5)) : behind
  const { status, frames } = await readFrames(run, reader, wanted.length)
  run.log(`stream of ${reader.actor.id} ${reader.filters}: ${status} ${frames.length}`)
  if (isOld !== (status === 410)) return recordViolation(run, `a stream behind ${reader.cursor_at} got ${status}`)
  if (isOld) return void Object.assign(reader, { cursor: undefined, seen: [] })
  reader.from = from
  if (frames.length < wanted.length) {
    return recordViolation(run, `a stream of ${reader.actor.id} had ${frames.length} of ${wanted.length} events`)
  }
  for (const { id, event } of frames) {
    const violation = id === event.cursor ? context.shown.observe(event) : 'the id of a frame is not its cursor'
    if (violation) return recordViolation(run, violation)
    reader.seen.push(event.id)
    Object.assign(reader, { cursor: id, cursor_at: event.occurred_at })
  }
  count(run, 'streamed events', frames.length)
}

/** Reads to the end of the log; says what is wrong if the reader has not got each event once, in order. */
export async function finishStream(run: SimRun, reader: SimStreamReader): Promise<string | undefined> {
  const { monitor } = run
  await readStream(run, reader, { isLast: true })
  // The cursor was too old: the reader begins again.
  if (reader.cursor === undefined) await readStream(run, reader, { isLast: true })
  const missing = (await readLog(monitor.database, reader)).length - reader.seen.length
  if (missing > 0) return `events.reliable: a stream of ${reader.actor.id} misses ${missing} events`
  return verifyReader(monitor.database, reader)
}

/** Reads a number of frames, or the refusal, from a replica. Frames that come with the last one are left. */
function readFrames(
  run: SimRun,
  reader: SimStreamReader,
  wanted: number,
): Promise<{ status: number; frames: Frame[] }> {
  const { server } = freeReplica(run)
  run.requests += 1
  const headers: Record<string, string> = {
    accept: 'text/event-stream',
    authorization: `Bearer ${reader.actor.token}`,
    'x-request-id': `stream-${run.requests}`,
    ...(reader.cursor === undefined ? {} : { 'last-event-id': reader.cursor }),
  }
  const path = `/preview/v2/events${reader.filters === '' ? '' : `?${reader.filters}`}`
  return new Promise((resolve, reject) => {
    const request = open({ agent: false, host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      let text = ''
      const frames: Frame[] = []
      const end = () => {
        request.destroy()
        resolve({ status: response.statusCode as number, frames })
      }
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const parts = text.split('\n\n')
        text = parts.pop() as string
        for (const part of parts) {
          const frame = frameOf(part)
          if (frame && frames.length < wanted) frames.push(frame)
        }
        if (frames.length >= wanted) end()
      })
      response.once('end', end)
      response.on('error', () => {})
    })
    request.setTimeout(limitMilliseconds, () => request.destroy(new Error('The stream stands still.')))
    request.once('error', reject)
    request.end()
  })
}

function frameOf(part: string): Frame | undefined {
  const fields = new Map(
    part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(' ') + 1)]),
  )
  const [id, data] = [fields.get('id'), fields.get('data')]
  return id === undefined || data === undefined ? undefined : { id, event: JSON.parse(data) }
}
