/** Starts the program as a user does: as a process, on a free port, in a new data directory. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../../test/at-end.ts'
import type { Ran } from './run-here.ts'

const root = join(import.meta.dirname, '../../..')
const program = join(root, 'packages/cli/bin/bourse.mjs')

/** A running sandbox. */
export type RunningSandbox = {
  readonly process: ChildProcess
  readonly url: string
  readonly token: string
  /** The lines of its settings file. */
  readonly settings: readonly string[]
  /** Its standard output so far. */
  out(): string
  /** Its standard error so far. */
  err(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/** The running sandboxes, by data directory. */
const running = new Map<string, ChildProcess>()

/**
 * Creates a temporary directory. At the end of the calling test or test file, its sandbox is stopped and the directory
 * is removed. The hook is registered for each directory, because many test files share one load of this module.
 */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-cli-'))
  atEnd(async () => {
    const sandbox = running.get(directory)
    if (sandbox) {
      sandbox.kill('SIGTERM')
      await once(sandbox, 'close')
    }
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** Runs the program to its end, with these environment variables and PATH only. */
export async function bourse(words: readonly string[], variables: Record<string, string>): Promise<Ran> {
  const { child, texts } = launch([process.execPath, program, ...words], variables)
  const [code] = await once(child, 'close')
  return { code, out: texts.out, err: texts.err }
}

type SandboxStart = {
  readonly words?: readonly string[]
  readonly variables?: Record<string, string>
  /** Whether the process is the program itself, or `npm start`. */
  readonly by?: 'node' | 'npm'
}

/**
 * Starts a sandbox in a directory from `newDirectory` and waits until it is ready. Throws with its output if it exits.
 */
export async function startSandbox(
  dataDirectory: string,
  { words = [], variables = {}, by = 'node' }: SandboxStart = {},
): Promise<RunningSandbox> {
  const settings = { BOURSE_DATA_DIR: dataDirectory, BOURSE_PORT: '0', ...variables }
  const start =
    by === 'npm' ? ['npm', 'start', '--silent', '--', ...words] : [process.execPath, program, 'start', ...words]
  const { child, texts } = launch(start, settings)
  running.set(dataDirectory, child)
  const ended: RunningSandbox['ended'] = once(child, 'close').then(([code, signal]) => {
    running.delete(dataDirectory)
    return signal ?? code
  })
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => texts.out.includes('Stop it with') && resolve())
  })
  const early = await Promise.race([ready, ended])
  if (early !== undefined) throw new Error(`The sandbox exited with ${early}: ${texts.err}`)
  const file = readFileSync(join(dataDirectory, 'sandbox.env'), 'utf8')
  return {
    process: child,
    url: /^BOURSE_BASE_URL=(.*)$/m.exec(file)?.[1] ?? '',
    token: /^BOURSE_API_TOKEN=(.*)$/m.exec(file)?.[1] ?? '',
    settings: file.split('\n'),
    out: () => texts.out,
    err: () => texts.err,
    ended,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** The example calls in the settings file of a sandbox. */
export function printedCalls({ settings }: RunningSandbox): string[] {
  return settings.filter((line) => line.startsWith('# curl ')).map((line) => line.slice(2))
}

/** Why tests with `curl` are skipped; false if it is installed. */
export const noCurl = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed'

function launch([file, ...words]: readonly string[], variables: Record<string, string>) {
  // The programs that a test of a mutant starts run with it too.
  const { PATH = '', BOURSE_MUTANT, NODE_OPTIONS = '' } = process.env
  const mutant = BOURSE_MUTANT === undefined ? {} : { BOURSE_MUTANT, NODE_OPTIONS }
  const env = { PATH, XDG_CONFIG_HOME: '/nonexistent', ...mutant, ...variables }
  const child = spawn(file as string, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (part) => {
    texts.out += part
  })
  child.stderr.on('data', (part) => {
    texts.err += part
  })
  return { child, texts }
}
