/** What the agent has done to devices, so that it can undo it after a restart. Written before each change. */
import { join } from 'node:path'
import type { HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import { readIfThere, writeWhole } from '../files.ts'
import type { BoundFunction } from './binding.rules.ts'
import type { Blocked, Claim } from './claims.rules.ts'

/** The last check of a slot by a probe machine. */
export type SlotCheck = { readonly slot: number; readonly checked_at: number; readonly is_good: boolean }

/** Everything that must outlive the agent. */
export type DeviceRecords = {
  /** Functions that the agent has taken from their driver. `ports`: what they were as RDMA adapters. */
  readonly bound: readonly (BoundFunction & { readonly ports: readonly HostRdmaPort[] })[]
  readonly claims: readonly Claim[]
  readonly blocked: readonly Blocked[]
  readonly checks: readonly SlotCheck[]
}

const file = 'devices.json'
const nothing: DeviceRecords = { bound: [], claims: [], blocked: [], checks: [] }

/** Reads the records from the state directory of an agent. */
export async function readRecords(directory: string): Promise<DeviceRecords> {
  const text = await readIfThere(join(directory, file))
  return text === undefined ? nothing : { ...nothing, ...(JSON.parse(text) as Partial<DeviceRecords>) }
}

/** Writes the records. */
export function writeRecords(directory: string, records: DeviceRecords): Promise<void> {
  return writeWhole(join(directory, file), JSON.stringify(records))
}
