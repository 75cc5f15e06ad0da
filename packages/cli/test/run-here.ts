/** Runs the CLI within the process of the test. */
import { run } from '../src/run.ts'

/** The output of a run, and its exit code. */
export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** The terminal of a run. */
export type TestTerminal = {
  readonly width?: number
  /** The answer to every question. Absent: the input is not a terminal. */
  readonly answer?: boolean | (() => Promise<boolean>)
}

/** Neither a sandbox nor profiles of the person who runs the tests. */
const nowhere = { BOURSE_DATA_DIR: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' }

/** Creates a function that runs commands with these environment variables only. */
export function runnerFor(variables: Readonly<Record<string, string>>, { width, answer }: TestTerminal = {}) {
  return async (...words: string[]): Promise<Ran> => {
    const out: string[] = []
    const err: string[] = []
    const terminal = {
      data: (text: string) => void out.push(`${text}\n`),
      raw: (bytes: Uint8Array) => void out.push(Buffer.from(bytes).toString()),
      note: (text: string) => void err.push(`${text}\n`),
      ask: async (question: string) => {
        if (answer !== undefined) err.push(`${question} [y/N]\n`)
        return typeof answer === 'function' ? answer() : answer
      },
      width,
      dim: String,
      red: String,
      bidColour: String,
      askColour: String,
    }
    const code = await run(words, { terminal, variables: { ...nowhere, ...variables } })
    return { code, out: out.join(''), err: err.join('') }
  }
}
