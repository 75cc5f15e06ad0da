/** Runs the command line within this process, for what needs no process of its own. */
import { run } from '../src/run.ts'

/** What a run said, and its exit code. */
export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Makes a way to run commands against a server. The environment of the test itself is not seen. */
export function runnerFor(variables: Readonly<Record<string, string>>) {
  return async (...words: string[]): Promise<Ran> => {
    const out: string[] = []
    const err: string[] = []
    const terminal = {
      data: (text: string) => void out.push(`${text}\n`),
      raw: (bytes: Uint8Array) => void out.push(Buffer.from(bytes).toString()),
      note: (text: string) => void err.push(`${text}\n`),
      ask: async () => undefined,
      width: undefined,
      dim: String,
      red: String,
      bidColour: String,
      askColour: String,
    }
    const code = await run(words, { terminal, variables: { BOURSE_DATA_DIR: '/nonexistent', ...variables } })
    return { code, out: out.join(''), err: err.join('') }
  }
}
