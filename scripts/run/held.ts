/** What the processes of tests hold: handles, which Node.js writes in a report at a signal, and other processes. */
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../packages/text/src/time/pause.ts'
import { limitSeconds } from '../../test/eventually.ts'
import { commandOf, descendantsOf, runningProcesses, variableOf } from './process-tree.ts'

const reportSignal = 'SIGUSR2'
const reportName = `bourse-report-${process.pid}.json`
const reportPath = join(tmpdir(), reportName)
/** What a process usually needs to write its report, and to end after its test, in seconds. */
const usualSeconds = { report: 0.5, end: 0.2 }
const shownMax = 20
const shownCharacters = 160

/** The part of a report of Node.js that is used: https://nodejs.org/api/report.html. */
type NodeReport = { readonly header: { readonly processId: number }; readonly libuv: readonly Handle[] }
type Handle = { readonly type: string; readonly is_active: boolean; readonly is_referenced?: boolean }

/** The flags of the processes of tests, for {@link describeTestProcesses}. */
export const reportFlags: readonly string[] = [
  '--report-on-signal',
  `--report-signal=${reportSignal}`,
  '--report-exclude-network',
  '--report-exclude-env',
  `--report-directory=${tmpdir()}`,
  `--report-filename=${reportName}`,
]

/** Marks the environment of the processes of a run, and so of all that they start. */
export const runMark = { BOURSE_TEST_RUN: `${process.pid}-${Date.now()}` }

/** What each process that runs tests holds, in lines of text. */
export async function describeTestProcesses(): Promise<string[]> {
  const lines: string[] = []
  for (const pid of testProcesses()) {
    const children = descendantsOf(pid).slice(0, shownMax)
    lines.push(`process ${pid}: ${commandOf(pid).slice(0, shownCharacters)}`)
    lines.push(...(await handlesOf(pid)).map((line) => `  ${line}`))
    lines.push(...children.map((child) => `  process ${child.pid}: ${commandOf(child.pid).slice(0, shownCharacters)}`))
  }
  return lines
}

/** Ends every process that runs tests. Vitest then takes its file as failed. */
export function endTestProcesses(): void {
  for (const pid of testProcesses()) signal(pid, 'SIGKILL')
}

/**
 * The processes that tests of this run have left, each with the file that started it. They get a moment to end by
 * themselves, and are killed then.
 */
export async function killLeftProcesses(): Promise<string[]> {
  const left = () =>
    runningProcesses().filter(({ pid }) => variableOf(pid, 'BOURSE_TEST_RUN') === runMark.BOURSE_TEST_RUN)
  await waitFor(() => left().length === 0, { at_most: limitSeconds(usualSeconds.end) * 1000 })
  return left().map(({ pid }) => {
    const line = `${variableOf(pid, 'BOURSE_TEST_FILE') ?? 'a test process'}: process ${pid}: ${commandOf(pid)}`
    signal(pid, 'SIGKILL')
    return line.slice(0, shownCharacters)
  })
}

/** Nothing happens if the process has just ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    return
  }
}

/** The processes of Vitest, which have the name of the file that they run. */
function testProcesses(): number[] {
  const children = descendantsOf(process.pid).filter(({ parent }) => parent === process.pid)
  return children.map(({ pid }) => pid).filter((pid) => commandOf(pid).startsWith('vitest '))
}

async function handlesOf(pid: number): Promise<string[]> {
  signal(pid, reportSignal)
  const atMostMilliseconds = limitSeconds(usualSeconds.report) * 1000
  const report = await waitFor(() => readReport(pid), { every: 100, at_most: atMostMilliseconds })
  if (!report) return ['It does not answer: its code runs without a pause.']
  await rm(reportPath, { force: true })
  // Handles that are not referenced keep no process alive.
  const open = report.libuv.filter((handle) => handle.is_active && handle.is_referenced)
  return open
    .slice(0, shownMax)
    .map(({ type, is_active, is_referenced, ...details }) => `${type} ${JSON.stringify(details)}`)
}

/** Undefined while the process writes it. */
async function readReport(pid: number): Promise<NodeReport | undefined> {
  try {
    const report: NodeReport = JSON.parse(await readFile(reportPath, 'utf8'))
    return report.header.processId === pid ? report : undefined
  } catch {
    return undefined
  }
}
