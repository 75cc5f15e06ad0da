/** Production servers as operators run them: processes of `bourse serve`, of any copy of the program. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A process that ended: its exit code, and what it wrote. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** A running server. */
export type Replica = AsyncDisposable & {
  readonly url: string
  /** What it has written to its log. */
  log(): string
  /** Sends SIGTERM and waits for the end. Returns the exit code. */
  stop(): Promise<number | null>
}

export type Variables = Readonly<Record<string, string>>

/** Runs `bourse` of a copy of the program to its end. */
export async function runBourse(program: string, words: readonly string[], variables: Variables): Promise<Ended> {
  const { child, texts } = launch(program, words, variables)
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

/** Starts `bourse serve` and waits until it serves. Throws with its log if it ends before. */
export async function startReplica(program: string, variables: Variables): Promise<Replica> {
  const { child, texts } = launch(program, ['serve'], variables)
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const [, found] = /Serving at (\S+)\. Metrics/.exec(texts.err) ?? []
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`bourse serve ended with ${code}: ${texts.err}`)))
  })
  return {
    url,
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

function launch(program: string, words: readonly string[], variables: Variables) {
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
    texts.err += part
  })
  return { child, texts }
}
