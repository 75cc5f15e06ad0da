/** Ten quiet accounts: each reads and writes a few times a second. Writes the time of each request. */
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/** An account that uses the server like most accounts do. */
export type QuietAccount = { readonly token: string; readonly firewall: string }

type QuietOptions = { readonly port: number; readonly accounts: readonly QuietAccount[] }
type QuietJob = { readonly milliseconds: number }

const readsPerWrite = 4
const pauseMilliseconds = 40

const { port, accounts } = JSON.parse(process.argv[2] as string) as QuietOptions
const root = `http://127.0.0.1:${port}`

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const { milliseconds } = JSON.parse(line) as QuietJob
  const times: number[] = []
  const until = performance.now() + milliseconds
  await Promise.all(accounts.map((account, number) => useQuietly(account, { number, until, times })))
  console.log(JSON.stringify({ times }))
}

type AccountUse = { readonly number: number; readonly until: number; readonly times: number[] }

async function useQuietly(account: QuietAccount, { number, until, times }: AccountUse): Promise<void> {
  await setTimeout((number * pauseMilliseconds) / accounts.length)
  let turn = 0
  do {
    const began = performance.now()
    const response = await request(account, turn++)
    await response.arrayBuffer()
    times.push(performance.now() - began)
    if (!response.ok) throw new Error(`A quiet account got ${response.status}.`)
    await setTimeout(pauseMilliseconds)
  } while (performance.now() < until)
}

function request({ token, firewall }: QuietAccount, turn: number): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  if (turn % (readsPerWrite + 1) > 0) return fetch(`${root}/preview/v2/firewalls?limit=20`, { headers })
  const body = JSON.stringify({ tags: { turn: String(turn) } })
  return fetch(`${root}/preview/v2/firewalls/${firewall}`, { headers, method: 'PATCH', body })
}
