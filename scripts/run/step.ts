import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** One check: a command that exits with 0 if the check passes. */
export type Step = { name: string; command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }

/** The result of a step. `output`: its standard output and error, printed if it failed. */
export type Outcome = { name: string; ok: boolean; seconds: number; output: string }

/** Runs steps, one per core at a time. Prints a line for each when it ends, and its output if it failed. */
export async function runSteps(steps: readonly Step[]): Promise<Outcome[]> {
  const waiting = [...steps]
  const outcomes: Outcome[] = []
  async function worker(): Promise<void> {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const outcome = await runStep(step)
      outcomes.push(outcome)
      console.log(lineOf(outcome))
      if (!outcome.ok) console.log(indented(outcome.output))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return outcomes
}

export function lineOf({ name, ok, seconds }: Outcome): string {
  return `${ok ? '✓' : '✗'} ${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s`
}

async function runStep(step: Step): Promise<Outcome> {
  const began = performance.now()
  const child = spawn(step.command, step.args, {
    env: { ...process.env, ...step.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  child.stderr.on('data', (piece: Buffer) => pieces.push(piece))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - began) / 1000
  return { name: step.name, ok: code === 0, seconds, output: Buffer.concat(pieces).toString() }
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ')
}
