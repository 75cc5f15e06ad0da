/** The QEMU Machine Protocol over a unix socket: one JSON object per line, with responses matched by id. */
import { connect, type Socket } from 'node:net'
import { pause } from '@bourse/text/time/pause.ts'

/** An event of QEMU. */
export type QmpEvent = { readonly event: string; readonly data: Readonly<Record<string, unknown>> }

/** A connection to the monitor of a QEMU, which accepts one at a time. */
export type Qmp = {
  /** `milliseconds`: how long to wait for the answer. One whose devices are being set up answers late. */
  execute(command: string, input?: object, milliseconds?: number): Promise<unknown>
  close(): void
}

type QmpLine = {
  readonly QMP?: object
  readonly event?: string
  readonly data?: Record<string, unknown>
  readonly id?: number
  readonly return?: unknown
  readonly error?: { readonly desc: string }
}
type Waiter = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

const answerMilliseconds = 5_000

/** Connects to a monitor and waits for its greeting, which comes when QEMU is ready. Throws after the timeout. */
export async function openQmp(
  path: string,
  { onEvent, onClose }: { readonly onEvent: (event: QmpEvent) => void; readonly onClose: () => void },
  milliseconds: number,
): Promise<Qmp> {
  const socket = connect(path)
  const opened = new AbortController()
  const tooLate = pause(milliseconds, opened.signal).then(() => {
    if (!opened.signal.aborted) socket.destroy(new Error('QEMU did not send its greeting.'))
  })
  try {
    return await greeted(socket, { onEvent, onClose }, milliseconds)
  } finally {
    opened.abort()
    await tooLate
  }
}

function greeted(
  socket: Socket,
  { onEvent, onClose }: Parameters<typeof openQmp>[1],
  milliseconds: number,
): Promise<Qmp> {
  const waiting = new Map<number, Waiter>()
  let isOpen = false
  const qmp: Qmp = { execute: executor(socket, waiting), close: () => socket.destroy() }
  return new Promise((resolve, reject) => {
    const negotiate = () =>
      qmp.execute('qmp_capabilities', undefined, milliseconds).then(() => {
        isOpen = true
        resolve(qmp)
      }, reject)
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('close', () => {
      const closed = new Error('QEMU closed its monitor.')
      for (const { reject: fail } of waiting.values()) fail(closed)
      waiting.clear()
      if (isOpen) onClose()
      else reject(closed)
    })
    let rest = ''
    socket.on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((one) => one.trim() !== '')) {
        const reply = JSON.parse(line) as QmpLine
        if (reply.QMP) void negotiate()
        else if (reply.event !== undefined) onEvent({ event: reply.event, data: reply.data ?? {} })
        else settle(waiting, reply)
      }
    })
  })
}

function executor(socket: Socket, waiting: Map<number, Waiter>): Qmp['execute'] {
  let last = 0
  return async (command, input, milliseconds = answerMilliseconds) => {
    const id = ++last
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    const late = new AbortController()
    socket.write(`${JSON.stringify({ execute: command, id, ...(input ? { arguments: input } : {}) })}\n`)
    const tooLate = pause(milliseconds, late.signal).then(() => {
      if (!late.signal.aborted) waiting.get(id)?.reject(new Error(`QEMU did not answer ${command}.`))
      waiting.delete(id)
    })
    try {
      return await answer
    } finally {
      late.abort()
      await tooLate
    }
  }
}

function settle(waiting: Map<number, Waiter>, { id = 0, error, ...reply }: QmpLine): void {
  const waiter = waiting.get(id)
  waiting.delete(id)
  if (error) waiter?.reject(new Error(error.desc))
  else waiter?.resolve(reply.return)
}
