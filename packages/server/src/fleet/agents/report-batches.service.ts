/**
 * Concurrent reports share transactions. Nearly all reports are steady: they repeat what is stored. One read without a
 * lock finds these, and one statement records them if the hosts are unchanged since the read. Other reports lock hosts
 * and instances, in a few transactions at a time, so that a fleet that reconnects at once leaves connections to others.
 */

import { isRefusal, Refusal } from '../../core/base/refusal.ts'
import { type BatchEntry, type BatchOutcome, batchCommand } from '../../core/work/batch-command.ts'
import { type BatchQueue, createBatchQueue } from '../../core/work/batch-queue.ts'
import { type CommandOutcome, plainCommand } from '../../core/work/command.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { CommandOrigin } from '../../core/work/writing.ts'
import { isSteady, type StandingHost, type StandingMachine } from '../hosts/reports.rules.ts'
import {
  listReportingHosts,
  type ReportingHostRow,
  type ReportingMachineRow,
  type SteadyHost,
  updateSteadyHosts,
} from './report-batches.store.ts'
import { acceptReport, acceptReports, type IncomingReport, type ReportAck } from './reports.service.ts'

type ReportBatchEntry = BatchEntry<IncomingReport>
/** The answer to a steady report; undefined if the report must be handled with its host locked. */
type SteadyAck = ReportAck | undefined

/** The queues in which reports of one server wait for a transaction. */
type ReportQueues = {
  readonly steady: BatchQueue<IncomingReport, SteadyAck>
  readonly changed: BatchQueue<IncomingReport, ReportAck>
}

declare module '../../core/work/services.ts' {
  interface Services {
    readonly report_queues: ReportQueues
  }
}

// The answer to a report is not urgent. At 300 reports a second a transaction then carries eight instead of one or two.
const steadyLingerMilliseconds = 25
const steadyMax = 256
// After a restart of the server all agents report within a second; handling them takes a few seconds.
const steadyWaitingMax = 20_000
// Four of the twenty connections, so that a fleet that reconnects does not take them all.
const changedRunningMax = 4
// Reports hold locks that placement needs too, so batches stay small.
const changedMax = 16
/** More than a server handles in the 20 s that an agent waits for its answer. */
const changedWaitingMax = 4_000

/** Accepts a report as `acceptReport` does, in a transaction shared with other reports. */
export async function takeReport(runtime: Runtime, origin: CommandOrigin, report: IncomingReport): Promise<ReportAck> {
  const { steady, changed } = runtime.services.report_queues
  const entry: ReportBatchEntry = { origin, input: report, claim: undefined, asked: [] }
  const ack = resultOf(await steady(entry))
  if (ack) return ack
  try {
    return resultOf(await changed(entry))
  } catch (error) {
    if (isRefusal(error)) throw error
    // Another report of the batch may have caused the failure, so this one is retried alone.
    return plainCommand(runtime, origin, (ctx) => acceptReport(ctx, report.host_id, report.report))
  }
}

/** Makes the queues of a server, empty. */
export function createReportQueues(runtime: () => Runtime): ReportQueues {
  const namesOf = ({ input }: ReportBatchEntry) => [input.host_id]
  return {
    steady: createBatchQueue({
      running_max: 1,
      entries_max: steadyMax,
      waiting_max: steadyWaitingMax,
      namesOf,
      linger_milliseconds: steadyLingerMilliseconds,
      run: (entries) => recordSteady(runtime(), entries),
    }),
    changed: createBatchQueue({
      running_max: changedRunningMax,
      entries_max: changedMax,
      waiting_max: changedWaitingMax,
      namesOf,
      run: (entries) => takeChanged(runtime(), entries),
    }),
  }
}

function resultOf<T>(outcome: BatchOutcome<T>): T {
  if ('refusal' in outcome) throw new Refusal(outcome.refusal, outcome.cause)
  return (outcome as Extract<CommandOutcome<T>, { replayed: false }>).result
}

async function recordSteady(
  runtime: Runtime,
  entries: readonly ReportBatchEntry[],
): Promise<BatchOutcome<SteadyAck>[]> {
  const ids = entries.map(({ input }) => input.host_id)
  const found = new Map(
    standingHosts(await listReportingHosts(runtime.database.reader, ids)).map((host) => [host.id, host]),
  )
  const steady = entries.flatMap((entry) => {
    const host = found.get(entry.input.host_id)
    return host && isSteady(host, entry.input.report) ? [{ ...entry, input: steadyHost(host, entry.input) }] : []
  })
  const ack = steady.length === 0 ? [] : await recordSteadyTogether(runtime, steady)
  const outcomes = new Map(steady.map(({ input }, index) => [input.id, ack[index]]))
  return ids.map((id) => outcomes.get(id) ?? { replayed: false, result: undefined })
}

function recordSteadyTogether(
  runtime: Runtime,
  entries: readonly BatchEntry<SteadyHost>[],
): Promise<BatchOutcome<SteadyAck>[]> {
  return batchCommand<SteadyHost, SteadyAck, Set<string>>(runtime, {
    entries,
    prefetch: ({ db }) =>
      updateSteadyHosts(
        db,
        entries.map(({ input }) => input),
      ),
    work: async (_ctx, _entries, ack) =>
      entries.map(({ input: { id, generation } }) => ({
        done: ack.has(id) ? { desired_generation: generation } : undefined,
      })),
    response: keepsNone,
  })
}

function takeChanged(runtime: Runtime, entries: readonly ReportBatchEntry[]): Promise<BatchOutcome<ReportAck>[]> {
  return batchCommand<IncomingReport, ReportAck>(runtime, {
    entries,
    work: (ctx, taken) =>
      acceptReports(
        ctx,
        taken.map(({ input }) => input),
      ),
    response: keepsNone,
    splits_on_lock_timeout: true,
  })
}

/** Agents send no idempotency key, so no answer is stored. */
function keepsNone(): never {
  throw new Error('Answers to reports are not stored.')
}

type Host = ReportingHostRow & StandingHost

/** Groups joined rows by host, each with its machines. */
function standingHosts(rows: readonly (ReportingHostRow & ReportingMachineRow)[]): Host[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => {
    const { id, epoch, generation, state, health, health_message } = own[0] as ReportingHostRow
    return { id, epoch, generation, state, health, health_message, machines: own.flatMap(standingMachine) }
  })
}

function standingMachine(row: ReportingMachineRow): StandingMachine[] {
  const { instance_id, machine_generation: generation, instance_state: state, start_failures: failed_starts } = row
  if (instance_id === null) return []
  const { action, reported_state, reported_reason, ssh, ssh_keys, connection_lost_at } = row
  const notified = { generation, action, failed_starts, reported_state, reported_reason }
  return [{ instance_id, state, ...notified, ssh, ssh_keys, connection_lost_at }]
}

function steadyHost({ id, epoch, generation, state, health }: Host, { report }: IncomingReport): SteadyHost {
  return { id, epoch, generation, state, health, reported_generation: report.generation }
}
