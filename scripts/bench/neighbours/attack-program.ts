/** Attacks a server for some time, once for each line that it reads. Writes the number of responses. */
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { type Attack, attacksOf } from './attacks.ts'

type AttackOptions = { readonly port: number; readonly tokens: readonly string[] }
type AttackJob = { readonly attack: string; readonly milliseconds: number }

const { port, tokens } = JSON.parse(process.argv[2] as string) as AttackOptions
const attacks = attacksOf(tokens)
// An attacker uses a machine of its own. Here it must not take the processor from the server.
setPriority(19)

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const { attack, milliseconds } = JSON.parse(line) as AttackJob
  console.log(JSON.stringify({ responses: await run(attacks[attack] as Attack, performance.now() + milliseconds) }))
}

async function run(attack: Attack, until: number): Promise<number> {
  const counts = Array.from({ length: attack.connections }, (_, number) => keepSending(attack, number, until))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** Sends on one connection, and opens it again whenever the server closes it. */
async function keepSending(attack: Attack, number: number, until: number): Promise<number> {
  let responses = 0
  while (performance.now() < until) responses += await send(attack, number, until)
  return responses
}

function send({ bytes, reads, requests }: Attack, number: number, until: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const request = bytes(number)
    let responses = 0
    let open = 0
    const timer = setTimeout(() => socket.destroy(), Math.max(1, until - performance.now()))
    const sendAll = () => {
      open = requests
      socket.write(request)
    }
    socket.on('connect', () => {
      if (!reads) socket.pause()
      sendAll()
    })
    socket.on('data', (piece: Buffer) => {
      const found = piece.toString('latin1').split('HTTP/1.1 ').length - 1
      responses += found
      open -= found
      if (open <= 0) sendAll()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(responses)
    })
  })
}
