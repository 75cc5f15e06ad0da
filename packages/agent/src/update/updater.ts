/**
 * One run of the updater of a host: asks which version the host is to run, installs it beside the present one, switches
 * to it, and switches back unless the agent then reports to the server. Whatever interrupts it, the next run finishes
 * or undoes what it finds. Machines are not touched: the agent takes them up again.
 */

import { join } from 'node:path'
import { type BundleOffer, isVersion } from '@bourse/api/fleet/agent-bundles.ts'
import type { AgentManager } from '@bourse/api/fleet/agent-updates.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { monotonic } from '../clock.ts'
import { readIfThere, removeAll } from '../files.ts'
import { openKey, requireEnrolment, tokenMaker } from '../identity.ts'
import { isServerRefusal } from '../problems.ts'
import { callFleetAgent, serverCalls } from '../server-calls.ts'
import { readBuild } from '../version.ts'
import { installBundle, isInstalled } from './bundles.ts'
import { isPassing } from './download.rules.ts'
import * as places from './places.ts'
import { bundleProblem } from './problem.ts'
import { reportedFile } from './reported-file.ts'
import { takeTurn } from './turn.ts'

/** The options of an updater. */
type UpdaterOptions = {
  /** The folder of the versions. */
  readonly root: string
  /** The directory of the agent: its key, its enrolment, and its first accepted report. */
  readonly directory: string
  readonly signers_file: string
  /** Restarts the agent. Rejects if it does not become ready. */
  readonly restart: () => Promise<void>
  /** How long the agent has from its restart to its first accepted report. */
  readonly wait_seconds: number
  /** The pause after the first attempt to download a version that failed; each further one is twice as long. */
  readonly pause_milliseconds: number
  /** Who updates the agent if not this updater. */
  readonly otherwise: Exclude<AgentManager, 'updater'>
  readonly log: (message: string, fields: object) => void
}

/** What is to be installed. */
type WantedVersion = { readonly key: string; readonly version: string; readonly bundle: BundleOffer | null }

const pollMilliseconds = 250
const reasonLengthMax = 1024
/** The keys of updates that the server did not ask for. It knows nothing of them, and its keys have another form. */
const fleetKey = 'fleet/'
/** An update that was interrupted so often is undone. */
const startsMax = 3

/** Runs the updater once. Throws a `ServerRefusal` if the server cannot be asked. */
export async function updateAgent(options: UpdaterOptions, signal: AbortSignal): Promise<void> {
  const { root, log } = options
  const turn = await takeTurn(root)
  if (!turn) return log('Another updater is at work.', { root })
  try {
    const journal = await places.readJournal(root)
    if (journal) return await endUpdate(options, journal, signal)
    const wanted = await ask(options, signal)
    if (wanted) await update(options, wanted, signal)
  } finally {
    await turn.close()
  }
}

/** Reports to the server, and reads what to run next. */
async function ask(options: UpdaterOptions, signal: AbortSignal): Promise<WantedVersion | undefined> {
  const { root, directory, otherwise, log } = options
  const enrolment = await requireEnrolment(directory)
  const version = await places.linkedVersion(root, 'current')
  const state = await places.readState(root)
  const calls = serverCalls(enrolment.server, tokenMaker(await openKey(directory), enrolment))
  const { version: updater_version } = readBuild()
  const report = {
    managed_by: version === undefined ? otherwise : ('updater' as const),
    version: version ?? null,
    updater_version,
    ...(state.failed && !state.failed.key.startsWith(fleetKey) ? { failed: state.failed } : {}),
  }
  try {
    const { wanted, pinned } = await calls.checkUpdate(report, signal)
    if (version === undefined) return undefined
    if (pinned !== state.pinned) await places.writeState(root, { ...state, pinned })
    return wanted && wanted.key !== state.failed?.key ? wanted : undefined
  } catch (error) {
    // What the server refuses may be what a newer agent does right. An answer that it could not give says nothing.
    const isRefused = isServerRefusal(error) && error.status >= 400 && error.status < 500 && error.status !== 429
    if (!isRefused || error.code === 'host_retired' || version === undefined || state.pinned) throw error
    log('The server does not accept this host. The version of the other hosts may help.', { error: error.message })
    const fleet = await callFleetAgent(enrolment.server, signal)
    const key = `${fleetKey}${fleet.version}`
    if (fleet.version === null || fleet.version === version || key === state.failed?.key) throw error
    return { key, version: fleet.version, bundle: fleet.bundle }
  }
}

async function update(options: UpdaterOptions, { key, version, bundle }: WantedVersion, signal: AbortSignal) {
  const { root, directory, log } = options
  const from = await places.linkedVersion(root, 'current')
  if (from === undefined) throw new Error('The version that runs is not known.')
  if (from === version) return
  if (!isVersion(version)) return fail(options, key, `${JSON.stringify(version)} is no version.`, signal)
  log('Updating the agent.', { from, version })
  try {
    if (!(await isInstalled(root, version))) {
      if (!bundle) throw bundleProblem(`This host has not kept version ${version}, and the server has no bundle of it.`)
      const { server } = await requireEnrolment(directory)
      await installBundle(version, bundle, { ...options, server, signal })
    }
  } catch (error) {
    // Nobody asks this host a second time to run the version of the others, so the next run tries it again.
    const isLater = key.startsWith(fleetKey) && isServerRefusal(error) && isPassing(error.status)
    if (signal.aborted || isLater) throw error
    return fail(options, key, (error as Error).message, signal)
  }
  await endUpdate(options, { key, version, from, phase: 'switching', starts: 0, reason: null }, signal)
}

/** Takes an update from where it is to its end, which is the new version or the former one. */
async function endUpdate(options: UpdaterOptions, given: places.UpdateJournal, signal: AbortSignal): Promise<void> {
  const { root, log } = options
  const journal = { ...given, starts: given.starts + 1 }
  await places.writeJournal(root, journal)
  if (journal.phase === 'switching' && journal.starts <= startsMax) {
    const problem = await switchTo(options, journal.version, signal)
    signal.throwIfAborted()
    if (problem === undefined) {
      log('The agent runs the version.', { version: journal.version })
      await places.switchLink(root, 'updater', journal.version)
      await places.writeState(root, { ...(await places.readState(root)), failed: null })
      await places.clearJournal(root)
      return places.sweepVersions(root, [journal.version, journal.from])
    }
    log('The agent does not run the version.', { version: journal.version, problem })
    return undo(options, { ...journal, phase: 'undoing', reason: problem }, signal)
  }
  const reason = journal.reason ?? `The update was interrupted ${startsMax} times.`
  return undo(options, { ...journal, phase: 'undoing', reason }, signal)
}

async function undo(options: UpdaterOptions, journal: places.UpdateJournal, signal: AbortSignal): Promise<void> {
  const { root } = options
  await places.writeJournal(root, journal)
  const problem = await switchTo(options, journal.from, signal)
  signal.throwIfAborted()
  const after = problem === undefined ? '' : ` Version ${journal.from} does not run either: ${problem}`
  await remember(root, journal.key, `${journal.reason}${after}`)
  await places.clearJournal(root)
  const updater = await places.linkedVersion(root, 'updater')
  await places.sweepVersions(root, [journal.from, updater])
  await ask(options, signal)
}

async function fail(options: UpdaterOptions, key: string, reason: string, signal: AbortSignal): Promise<void> {
  const { root, log } = options
  log('The version cannot be installed.', { reason })
  await remember(root, key, reason)
  await ask(options, signal)
}

/** Stores why an update failed, as the server takes it: one line of printable ASCII, whatever a program has printed. */
async function remember(root: string, key: string, text: string): Promise<void> {
  const reason = text
    .replace(/[^ -~]+/g, ' ')
    .trim()
    .slice(0, reasonLengthMax)
  await places.writeState(root, { ...(await places.readState(root)), failed: { key, reason } })
}

/** Switches to a version and waits until its agent reports. Returns why it does not. */
async function switchTo(options: UpdaterOptions, version: string, signal: AbortSignal): Promise<string | undefined> {
  const { root, directory, restart, wait_seconds } = options
  await places.switchLink(root, 'current', version)
  const reported = join(directory, reportedFile)
  await removeAll(reported)
  const failed = await restart().then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (failed !== undefined) return `The agent did not start: ${failed}`
  const end = monotonic() + wait_seconds * 1000
  while (!signal.aborted) {
    const text = await readIfThere(reported)
    if (text !== undefined && (JSON.parse(text) as { version: string }).version === version) return undefined
    if (monotonic() > end) break
    await pause(pollMilliseconds, signal)
  }
  return `The agent started, and the server had accepted no report of it after ${wait_seconds} s.`
}
