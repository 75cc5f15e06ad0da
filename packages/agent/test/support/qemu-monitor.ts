/** A monitor as that of a QEMU, for a machine whose process is another program. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEnd } from '../../../../test/at-end.ts'
import type { MachineSpec } from '../../src/drivers/driver.ts'
import { files, uuidOf } from '../../src/drivers/qemu/command-line.rules.ts'

/** Opens the monitor of a machine that QEMU says is in this state. Returns what closes its connections. */
export async function openMonitor({ id, directory }: MachineSpec, status: 'running' | 'shutdown'): Promise<() => void> {
  const answers: Readonly<Record<string, object>> = { 'query-status': { status }, 'query-uuid': { UUID: uuidOf(id) } }
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write('{"QMP":{}}\n')
    createInterface(socket).on('line', (line) => {
      const { id: request, execute } = JSON.parse(line)
      socket.write(`${JSON.stringify({ id: request, return: answers[execute] ?? {} })}\n`)
    })
  }).listen(join(directory, files.monitor))
  atEnd(() => server.close())
  await once(server, 'listening')
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
