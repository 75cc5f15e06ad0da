/** Formats money, capacity and windows for people. */

import { localZone } from '../time/local-zone.ts'
import { lengthOf } from './durations.ts'

/**
 * Formats dollars with at least two decimals, or as many as are given, and all that are not zero: `$1,234.50`,
 * `$0.000017`, `-$2.00`.
 */
export function dollarsOf(text: string, least = 2): string {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const shown = decimals.replace(/0+$/, '').padEnd(least, '0')
  return `${sign}$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${shown}`
}

/** Units of bytes, each 1024 or 1000 times the one before. */
export const byteUnits = {
  binary: ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
  decimal: ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'],
} as const

/**
 * Formats bytes in the unit in which they are the shortest exact number, binary or decimal: `2 TiB`, `30 TB`. An amount
 * that needs more than four digits in every unit is rounded to one decimal.
 */
export function bytesOf(bytes: number): string {
  const exact = [
    ...byteUnits.binary.map((unit, power) => ({ unit, count: bytes / 1024 ** power })),
    ...byteUnits.decimal.map((unit, power) => ({ unit, count: bytes / 1000 ** power })),
  ].filter(({ count }) => Number.isInteger(count) && count < 10_000)
  const [first] = exact.sort((a, b) => a.count - b.count)
  if (bytes === 0) return '0 bytes'
  if (first) return `${first.count} ${first.count === 1 && first.unit === 'bytes' ? 'byte' : first.unit}`
  const power = Math.min(5, Math.floor(Math.log(bytes) / Math.log(1024)))
  const count = Math.round((bytes / 1024 ** power) * 10) / 10
  return `${count.toLocaleString('en-US')} ${byteUnits.binary[power]}`
}

/** Formats bytes in the largest binary unit that keeps them whole: 1,610,612,736 bytes are `1536 MiB`. */
export function binarySizeOf(bytes: number): string {
  let [count, power] = [bytes, 0]
  while (count >= 1024 && count % 1024 === 0 && power < byteUnits.binary.length - 1) {
    count /= 1024
    power += 1
  }
  return `${count} ${count === 1 && power === 0 ? 'byte' : byteUnits.binary[power]}`
}

/** Formats basis points as percent: `1.25 %`. */
export function percentOfPoints(basisPoints: number): string {
  return `${basisPoints / 100} %`
}

/** Formats node-minutes as node-hours, with at most two decimals: `4.5 node-hours`. */
export function nodeHoursOf(nodeMinutes: number): string {
  const hours = Math.round((nodeMinutes / 60) * 100) / 100
  return `${hours.toLocaleString('en-US')} node-${hours === 1 ? 'hour' : 'hours'}`
}

type AllocationEntry = { readonly start_at: number; readonly end_at: number | null; readonly node_count: number }

/** The node-minutes of a schedule that ends. */
export function nodeMinutesOf(schedule: readonly AllocationEntry[]): number {
  return schedule.reduce(
    (total, { start_at, end_at, node_count }) => total + (((end_at ?? start_at) - start_at) / 60) * node_count,
    0,
  )
}

/** Formats a count with its noun: `1 node`, `4 nodes`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

/** Formats a window in UTC with its length, and in the time zone of this machine: `undefined` where that is UTC. */
export function windowTexts(startAt: number, endAt: number, zone = localZone()): { utc: string; local?: string } {
  const utc = `${span(startAt, endAt, 'UTC')} UTC (${lengthOf(endAt - startAt)})`
  return isUtc(zone) ? { utc } : { utc, local: `${span(startAt, endAt, zone)} ${zone}` }
}

/** Formats a time of the day in the time zone of this machine: `14:03:05`. */
export function clockOf(seconds: number): string {
  return momentIn(seconds, localZone()).slice(11)
}

function span(startAt: number, endAt: number, zone: string): string {
  const [from, to] = [momentIn(startAt, zone), momentIn(endAt, zone)].map((text) => text.slice(0, 16)) as [
    string,
    string,
  ]
  return `${from} – ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`
}

function momentIn(seconds: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(seconds * 1000)
}

function isUtc(zone: string): boolean {
  return ['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'].includes(zone)
}
