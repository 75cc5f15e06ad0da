/** Runs the CLI within the process of the test. */
import { run } from '../src/run.ts'

/** The output of a run, and its exit code. */
export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Creates a function that runs commands with these environment variables only. */
export function runnerFor(variables: Readonly<Record<string, string>>, { width }: { width?: number } = {}) {
  return async (...words: string[]): Promise<Ran> => {
    const out: string[] = []
    const err: string[] = []
    const terminal = {
      data: (text: string) => void out.push(`${text}\n`),
      raw: (bytes: Uint8Array) => void out.push(Buffer.from(bytes).toString()),
      note: (text: string) => void err.push(`${text}\n`),
      ask: async () => undefined,
      width,
      dim: String,
      red: String,
      bidColour: String,
      askColour: String,
    }
    const code = await run(words, { terminal, variables: { BOURSE_DATA_DIR: '/nonexistent', ...variables } })
    return { code, out: out.join(''), err: err.join('') }
  }
}
