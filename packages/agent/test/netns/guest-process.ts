import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { limitSeconds } from '../../../../test/eventually.ts'
import { answerLines } from './conversation.ts'

// A participant of a network: listens, sends, and reports the result.

const [name = ''] = process.argv.slice(2)
/** The time limit for expected data. */
const waitMilliseconds = limitSeconds(2) * 1000
const heard: string[] = []

async function listen(port: number): Promise<void> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(`${name} hears ${socket.remoteAddress}\n`)
    socket.on('data', (bytes) => socket.write(bytes))
  })
  server.listen(port, '0.0.0.0')
  await once(server, 'listening')
}

async function hear(port: number): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { address }) => heard.push(`${message} from ${address}`))
  socket.bind(port)
  await once(socket, 'listening')
}

type Reaching = { readonly wait?: number; readonly from?: string }

/** The first data of the other side; `nothing` without a packet in time, `refused` for a refused connection. */
function reach(host: string, port: number, { wait = waitMilliseconds, from }: Reaching = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(from === undefined ? {} : { localAddress: from }) })
    const end = (output: string) => {
      socket.destroy()
      resolve(output)
    }
    socket.setTimeout(wait, () => end('nothing'))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => end(code === 'ETIMEDOUT' ? 'nothing' : 'refused'))
    socket.on('data', (bytes) => end(String(bytes).trim()))
  })
}

const held = new Map<string, (text: string, wait?: number) => Promise<string>>()

/** Opens a connection and keeps it. `echo` sends over it and returns the echo. */
async function hold(key: string, host: string, port: number): Promise<string> {
  const socket = connect({ host, port })
  socket.on('error', () => {})
  const [hello] = await once(socket, 'data', { signal: AbortSignal.timeout(waitMilliseconds) })
  const send = (text: string, wait = waitMilliseconds) =>
    new Promise<string>((resolve) => {
      const timer = AbortSignal.timeout(wait)
      timer.addEventListener('abort', () => resolve('nothing'))
      socket.once('data', (bytes) => resolve(String(bytes)))
      socket.write(text)
    })
  held.set(key, send)
  return String(hello).trim()
}

const silent = new Set<Socket>()

/** Opens a connection and sends nothing. */
async function open(host: string, port: number): Promise<void> {
  const socket = connect({ host, port })
  silent.add(socket)
  socket.on('error', () => {})
  socket.once('close', () => silent.delete(socket))
  socket.resume()
  await once(socket, 'connect')
}

function read(url: string, wait = waitMilliseconds): Promise<{ status: number; body: string } | string> {
  return new Promise((resolve) => {
    const asked = request(url, { timeout: wait, agent: false }, (response) => {
      let body = ''
      response.on('data', (piece) => {
        body += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: body.trim() }))
    })
    asked.on('timeout', () => {
      asked.destroy()
      resolve('nothing')
    })
    asked.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'))
    asked.end()
  })
}

/** Sends a datagram; `bytes` is base64. */
async function send(bytes: string, host: string, port: number, from?: string): Promise<void> {
  const socket = createSocket('udp4')
  socket.bind({ port: 0, ...(from === undefined ? {} : { address: from }) })
  await once(socket, 'listening')
  await new Promise((resolve) => socket.send(Buffer.from(bytes, 'base64'), port, host, resolve))
  socket.close()
}

/** Broadcasts DHCP discovers, as a guest without an address does. Returns the offered address and its server. */
async function askForAddress(mac: string, wait = waitMilliseconds): Promise<string> {
  const packet = Buffer.alloc(244)
  packet.set([1, 1, 6])
  packet.set(Buffer.from(mac.replaceAll(':', ''), 'hex'), 28)
  packet.set([99, 130, 83, 99, 53, 1, 1, 255], 236)
  const socket = createSocket('udp4')
  socket.bind(68)
  await once(socket, 'listening')
  socket.setBroadcast(true)
  const offered = once(socket, 'message', { signal: AbortSignal.timeout(wait) }).then(
    ([answer, { address, port }]) => `${answer.subarray(16, 20).join('.')}, told by ${address}:${port}`,
    () => 'nothing',
  )
  const again = setInterval(() => socket.send(packet, 67, '255.255.255.255', () => {}), 200)
  const output = await offered
  clearInterval(again)
  socket.close()
  return output
}

await answerLines({
  askForAddress,
  listen,
  hear,
  reach,
  hold,
  open,
  read,
  send,
  echo: (key: string, text: string, wait?: number) => held.get(key)?.(text, wait),
  heard: () => heard,
  open_count: () => silent.size,
})
// The other side of a connection may no longer exist, so the connection would never close.
process.exit()
