/** What the agent has done to devices, so that it can undo it after a restart. Written before each change. */
import { join } from 'node:path'
import type { HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import { readIfThere, writeWhole } from '../files.ts'
import type { BoundFunction } from './binding.rules.ts'
import type { Blocked, Claim } from './claims.rules.ts'
import type { ErrorCounts } from './health.rules.ts'

/** The last check of a slot by a probe machine. */
export type SlotCheck = { readonly slot: number; readonly checked_at: number; readonly is_good: boolean }

/** A function that the agent has taken from its driver. */
export type RecordedFunction = BoundFunction & {
  /** What it was as an RDMA adapter. */
  readonly ports: readonly HostRdmaPort[]
  /** What it was, as `10de:2330`: addresses may change with the start of a host. Absent: noted by an older agent. */
  readonly id?: string
}

/** Everything that must outlive the agent. */
export type DeviceRecords = {
  readonly bound: readonly RecordedFunction[]
  readonly claims: readonly Claim[]
  readonly blocked: readonly Blocked[]
  readonly checks: readonly SlotCheck[]
  /** What functions had counted when they were first read, or reset, since the start of the kernel. */
  readonly errors: readonly ErrorCounts[]
  /** The start of the kernel (`boot_id`). Absent: not known. */
  readonly boot?: string
}

const file = 'devices.json'
const nothing: DeviceRecords = { bound: [], claims: [], blocked: [], checks: [], errors: [] }

/** Reads the records from the state directory of an agent. */
export async function readRecords(directory: string): Promise<DeviceRecords> {
  const text = await readIfThere(join(directory, file))
  return text === undefined ? nothing : { ...nothing, ...(JSON.parse(text) as Partial<DeviceRecords>) }
}

/** Writes the records. */
export function writeRecords(directory: string, records: DeviceRecords): Promise<void> {
  return writeWhole(join(directory, file), JSON.stringify(records))
}

/** The records without a machine and what was noted for it. */
export function without(
  { claims, bound }: DeviceRecords,
  { id, noted }: { readonly id: string; readonly noted: DeviceRecords['bound'] },
): Pick<DeviceRecords, 'claims' | 'bound'> {
  return { claims: claims.filter((one) => one.id !== id), bound: bound.filter((one) => !noted.includes(one)) }
}
