/**
 * What a test process that hangs holds: its open handles, which are in a report that Node writes at a signal
 * (https://nodejs.org/api/report.html), and the processes that it has started.
 */
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { commandOf, descendantsOf } from './process-tree.ts'

const signal = 'SIGUSR2'
const reportTries = 30
const pauseMilliseconds = 100
const shownMax = 20
const commandCharacters = 160

/** The part of a report of Node that is used. */
type NodeReport = { readonly libuv: readonly Handle[] }
type Handle = { readonly type: string; readonly is_active: boolean; readonly is_referenced?: boolean }

/** A path for the report of a process that is about to start. */
export function reportPath(name: string): string {
  return join(tmpdir(), `bourse-report-${process.pid}-${name}.json`)
}

/** The flags of a Node process that {@link describeProcess} can describe. */
export function reportFlags(path: string): string[] {
  const place = [`--report-directory=${dirname(path)}`, `--report-filename=${basename(path)}`]
  return [
    ...['--report-on-signal', `--report-signal=${signal}`, ...place],
    ...['--report-exclude-network', '--report-exclude-env'],
  ]
}

/** Describes a process in lines of text. It was started with {@link reportFlags} of this path. */
export async function describeProcess(pid: number, path: string): Promise<string> {
  const report = await reportOf(pid, path)
  const held = report ? linesOf(report) : ['It does not answer: its code runs without a pause.']
  return [...held, ...childrenOf(pid)].map((line) => `  ${line}`).join('\n')
}

async function reportOf(pid: number, path: string): Promise<NodeReport | undefined> {
  try {
    process.kill(pid, signal)
  } catch {
    return undefined
  }
  for (let tries = 0; tries < reportTries; tries++) {
    await setTimeout(pauseMilliseconds)
    const report = await readFile(path, 'utf8').then(parse, () => undefined)
    if (!report) continue
    await rm(path, { force: true })
    return report
  }
  return undefined
}

/** Undefined while the file is being written. */
function parse(text: string): NodeReport | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function linesOf({ libuv }: NodeReport): string[] {
  // Handles that are not referenced keep no process alive.
  const open = libuv.filter((handle) => handle.is_active && handle.is_referenced)
  return open.slice(0, shownMax).map(handleLine)
}

function handleLine({ type, is_active, is_referenced, ...details }: Handle): string {
  return `${type} ${JSON.stringify(details)}`
}

function childrenOf(pid: number): string[] {
  try {
    const running = descendantsOf(pid).slice(0, shownMax)
    return running.map((child) => `process ${child.pid}: ${commandOf(child.pid).slice(0, commandCharacters)}`)
  } catch {
    return ['Its processes are not known: this system has no /proc.']
  }
}
