/** Machines that a client reaches over a network: namespaces, each with a link to the one of the client. Needs root. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runProgram } from '../../../../scripts/pack/program.ts'

/** A machine: its namespace, and the address by which the client reaches it. */
export type Machine = { readonly namespace: string; readonly address: string }

/** What the client sends over TLS to one machine, by the name of the service. */
export type NetworkRequest = {
  readonly address: string
  readonly name: string
  readonly port: number
  /** Certificates of authorities that the client knows, in PEM. */
  readonly ca?: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back. */
export type NetworkResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> & { readonly 'set-cookie'?: readonly string[] }
  readonly body: string
}

/** A network. It is removed with its disposal; programs in it are ended by whoever started them. */
export type TestNetwork = AsyncDisposable & {
  readonly machines: readonly Machine[]
  /** Sends a request from the client. Rejects with the error of the connection. */
  send(request: NetworkRequest): Promise<NetworkResponse>
}

let networks = 0

/** Makes a network of some machines. */
export async function makeNetwork(count: number): Promise<TestNetwork> {
  // The names that the tests of networks of hosts sweep after killed runs.
  const name = `btest${process.pid}-m${networks++}`
  const client = `${name}-client`
  const machines = Array.from({ length: count }, (_, index) => ({
    namespace: `${name}-${index}`,
    address: `10.77.${index}.2`,
  }))
  const made: string[] = []
  const dispose = async () => {
    for (const namespace of made) await ip('netns', 'del', namespace)
  }
  const add = async (namespace: string) => {
    await ip('netns', 'add', namespace)
    made.push(namespace)
    await ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }
  try {
    await add(client)
    for (const [index, { namespace, address }] of machines.entries()) {
      await add(namespace)
      const link = `to-${index}`
      await ip('-n', client, 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      await ip('-n', client, 'addr', 'add', `10.77.${index}.1/24`, 'dev', link)
      await ip('-n', client, 'link', 'set', link, 'up')
      await ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
      await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    }
  } catch (error) {
    await dispose()
    throw error
  }
  const program = join(import.meta.dirname, 'client-process.ts')
  return {
    machines,
    send: async (request) => {
      const words = ['netns', 'exec', client, process.execPath, program, JSON.stringify(request)]
      return JSON.parse(await runProgram('ip', words)) as NetworkResponse
    },
    [Symbol.asyncDispose]: dispose,
  }
}

async function ip(...words: string[]): Promise<void> {
  await runProgram('ip', words)
}

/** A command that runs on a machine. */
export type TypedCommand = {
  readonly process: ChildProcess
  out(): string
  err(): string
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/**
 * Types a command into a shell on a machine, where the words run the program of the name bourse. In the end it has the
 * place of the shell, so signals reach it.
 */
export function typeOn({ namespace }: Machine, command: string, words: readonly string[]): TypedCommand {
  const shell = `program=("$@")\nbourse() { exec "\${program[@]}" "$@"; }\n${command}`
  const child = spawn('ip', ['netns', 'exec', namespace, 'bash', '-c', shell, 'bash', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (part) => (texts.out += part))
  child.stderr.on('data', (part) => (texts.err += part))
  return {
    process: child,
    out: () => texts.out,
    err: () => texts.err,
    ended: once(child, 'close').then(([code]) => code),
  }
}
