/** Production servers as operators run them: processes of `bourse serve`, of any copy of the program. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureKeyFiles } from '../../../src/core/keys/key-files.ts'
import { startDurableCluster, type TestCluster } from '../../support/cluster.ts'
import { createEmptyDatabase } from '../../support/database.ts'

/** A process that ended: its exit code, and what it wrote. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** A running server. */
export type ProductionServer = AsyncDisposable & {
  readonly url: string
  readonly metrics_url: string
  readonly pid: number
  /** The newest part of what it has written to its log; all of it, unless it has run for long. */
  log(): string
  /** Sends SIGTERM and waits for the end. Returns the exit code. */
  stop(): Promise<number | null>
}

export type ServerVariables = Readonly<Record<string, string>>

/** An installation without a running server. `directory` is removed with it. */
export type StoppedInstallation = {
  readonly directory: string
  readonly cluster: TestCluster
  readonly variables: ServerVariables
}

const logCharactersMax = 4_000_000

/** Makes the production settings of a new installation on a durable cluster, which end with the stack. */
export async function installProduction(stack: AsyncDisposableStack): Promise<StoppedInstallation> {
  const cluster = stack.use(await startDurableCluster())
  const { target } = stack.use(await createEmptyDatabase({ cluster: cluster.target }))
  const directory = await mkdtemp(join(tmpdir(), 'bourse-production-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const { signing, master, cursor } = await ensureKeyFiles(join(directory, 'keys'), 'operator')
  const variables = {
    BOURSE_DATABASE_URL: `postgres://${target.user}@/${target.database}?host=${target.host}`,
    BOURSE_PUBLIC_URL: 'https://market.example',
    BOURSE_SIGNING_KEYS_FILE: signing,
    BOURSE_MASTER_KEY_FILE: master,
    BOURSE_CURSOR_KEYS_FILE: cursor,
    BOURSE_PORT: '0',
    BOURSE_METRICS_PORT: '0',
    BOURSE_WORKERS: '1',
    BOURSE_DATA_DIR: join(directory, 'data'),
  }
  return { directory, cluster, variables }
}

/** Runs `bourse` of a copy of the program to its end. */
export async function runBourse(program: string, words: readonly string[], variables: ServerVariables): Promise<Ended> {
  const { child, texts } = launch(program, words, variables)
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

/** Starts `bourse serve` and waits until it serves. Throws with its log if it ends before. */
export async function startReplica(program: string, variables: ServerVariables): Promise<ProductionServer> {
  const { child, texts } = launch(program, ['serve'], variables)
  const [url, metrics_url] = await new Promise<[string, string]>((resolve, reject) => {
    const look = () => {
      const [, found, metrics] = /Serving at (\S+)\. Metrics at (\S+)\."/.exec(texts.err) ?? []
      if (found === undefined || metrics === undefined) return
      child.stderr.off('data', look)
      resolve([found, metrics])
    }
    child.stderr.on('data', look)
    child.once('exit', (code) => reject(new Error(`bourse serve ended with ${code}: ${texts.err}`)))
  })
  return {
    url,
    metrics_url,
    pid: child.pid as number,
    log: () => texts.err,
    stop: () => end(child, 'SIGTERM'),
    [Symbol.asyncDispose]: async () => void (await end(child, 'SIGKILL')),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

function launch(program: string, words: readonly string[], variables: ServerVariables) {
  const env = { PATH: process.env.PATH ?? '', ...variables }
  const child = spawn(process.execPath, [join(program, 'packages/cli/bin/bourse.mjs'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (part) => {
    texts.out += part
  })
  child.stderr.on('data', (part) => {
    texts.err = (texts.err + part).slice(-logCharactersMax)
  })
  return { child, texts }
}
