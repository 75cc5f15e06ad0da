/** Runs the program with an input, and with a terminal of its own where a test answers questions. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const program = join(import.meta.dirname, '../bin/bourse.mjs')

/** What a process needs of this one: its path, and what loads mutants into it. */
const inherited = Object.fromEntries(
  ['PATH', 'NODE_OPTIONS', 'BOURSE_MUTANT'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  }),
)

/** Runs the program with a text on its standard input, which stays open where it says so. */
export async function bourseWith(
  input: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  { staysOpen = false } = {},
): Promise<Ran> {
  const env = { ...inherited, XDG_CONFIG_HOME: '/nonexistent', ...variables }
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'pipe' })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (part) => (texts.out += part))
  child.stderr.on('data', (part) => (texts.err += part))
  if (staysOpen) child.stdin.write(input)
  else child.stdin.end(input)
  child.stdin.on('error', () => {})
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

/** Why tests with a terminal are skipped; false where util-linux has its program `script`. */
export const noTerminal =
  spawnSync('script', ['--version']).status === 0 ? false : 'the program script is not installed'

/**
 * Runs the program on a terminal. Each question, found by its text, gets its answer when it is shown. Returns what the
 * terminal showed.
 */
export async function onTerminal(
  words: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number; shown: string }> {
  const line = [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ')
  const env = { ...inherited, TERM: 'xterm', ...variables }
  const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: 'pipe' })
  let [shown, next] = ['', 0]
  child.stdout.on('data', (part) => {
    shown += part
    const [question, answer] = answers[next] ?? []
    if (question !== undefined && shown.includes(question)) {
      next += 1
      child.stdin.write(`${answer}\r`)
    }
  })
  const [code] = await once(child, 'close')
  return { code, shown }
}

/** Runs a shell to its end. */
export async function runShell(
  shell: string,
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const child = spawn(shell, words, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (part) => (texts.out += part))
  child.stderr.on('data', (part) => (texts.err += part))
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

/** A home directory, and the variables of a shell in it, with the program as `bourse` on the path. */
export function shellVariables(connection: Readonly<Record<string, string>>) {
  const directory = newDirectory()
  const path = join(directory, 'bourse')
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  const env = {
    ...connection,
    PATH: `${directory}:${process.env.PATH}`,
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, '.config'),
  }
  return { directory, env }
}
