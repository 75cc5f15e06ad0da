/** Runs the benchmark script of the operator on this host, with bounds on its time and its output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BenchmarkFigure } from '@bourse/api/fleet/benchmarks.ts'
import { hostProblem } from '../problems.ts'
import { programPath } from '../program-path.ts'
import { readFigures } from './figures.rules.ts'

/** The bounds of a run. */
type ScriptBounds = { readonly milliseconds: number; readonly bytes: number }

const environment = { PATH: programPath, LANG: 'C' }
const usualBounds: ScriptBounds = { milliseconds: 600_000, bytes: 16_384 }

/**
 * Runs a script and reads its figures. Throws a `HostProblem` if it fails, takes too long, prints too much or prints
 * something else. The abort of the signal ends it. It runs as the user of the agent, without arguments, and without the
 * environment of the agent, in which there may be secrets.
 */
export async function runScript(
  path: string,
  signal: AbortSignal,
  bounds: ScriptBounds = usualBounds,
): Promise<BenchmarkFigure[]> {
  const what = `The benchmark script ${path}`
  // A group of its own: what the script starts ends with it.
  const child = spawn(path, [], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env: environment })
  const limit = AbortSignal.timeout(bounds.milliseconds)
  const stopped = AbortSignal.any([signal, limit])
  const end = () => endGroup(child.pid)
  stopped.addEventListener('abort', end)
  const parts: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > bounds.bytes) end()
    else parts.push(part)
  })
  try {
    const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      throw hostProblem(`${what} cannot be run: ${error.code}.`)
    })
    if (limit.aborted) throw hostProblem(`${what} took longer than ${bounds.milliseconds / 1000} s.`)
    if (bytes > bounds.bytes) throw hostProblem(`${what} printed more than ${bounds.bytes} bytes.`)
    signal.throwIfAborted()
    if (code !== 0) throw hostProblem(`${what} failed with the exit code ${code}.`)
    const figures = readFigures(Buffer.concat(parts).toString())
    if (typeof figures === 'string') throw hostProblem(`${what} is wrong. ${figures}`)
    return figures
  } finally {
    stopped.removeEventListener('abort', end)
    end()
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
