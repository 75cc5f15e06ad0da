/** Names of files of the write-ahead log, what they contain, and whether an archive has all that a restore needs. */

/** A segment, a history of timelines, or the label of a base copy, as PostgreSQL names them for its archive. */
const archivedName = /^(?:[0-9A-F]{24}(?:\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/
const segmentName = /^[0-9A-F]{24}$/
/** The least that a page header of the log has, with the system identifier and the size of segments. */
const headerBytes = 36

/** What a segment says of itself. */
type SegmentHeader = { readonly system_identifier: string; readonly timeline: number; readonly segment_bytes: number }

/** A part of the way of a timeline: from its switch on, segments are of the next one. */
type TimelineStep = { readonly timeline: number; readonly until_lsn: bigint | undefined }

/** Whether a name is one that PostgreSQL archives. */
export function isArchivedName(name: string): boolean {
  return archivedName.test(name)
}

/** Whether a name is that of a complete segment. */
function isSegmentName(name: string): boolean {
  return segmentName.test(name)
}

/** Reads the header of a segment; undefined where the bytes are none. */
function readSegmentHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < headerBytes) return undefined
  const segment_bytes = bytes.readUInt32LE(32)
  const isSize = segment_bytes >= 2 ** 20 && segment_bytes <= 2 ** 30 && (segment_bytes & (segment_bytes - 1)) === 0
  // The version of the log, and the flag of the long header.
  const isHeader = bytes.readUInt8(1) === 0xd1 && (bytes.readUInt16LE(2) & 2) === 2
  if (!isSize || !isHeader) return undefined
  return { system_identifier: `${bytes.readBigUInt64LE(24)}`, timeline: bytes.readUInt32LE(4), segment_bytes }
}

/** Why a file does not fit its name and its cluster; undefined if it does. */
export function archiveProblem(name: string, bytes: Buffer, systemIdentifier: string): string | undefined {
  if (!isSegmentName(name)) return undefined
  const header = readSegmentHeader(bytes)
  if (!header) return 'it is no segment of the write-ahead log'
  if (header.system_identifier !== systemIdentifier) {
    return `it is of the system ${header.system_identifier}, and the cluster is the system ${systemIdentifier}`
  }
  if (header.segment_bytes !== bytes.length) return `it has ${bytes.length} bytes instead of ${header.segment_bytes}`
  return undefined
}

/** Reads a position as PostgreSQL prints it, such as 0/2000120. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Writes a position as PostgreSQL does. */
export function printLsn(lsn: bigint): string {
  return [lsn >> 32n, lsn & 0xffffffffn].map((half) => half.toString(16).toUpperCase()).join('/')
}

function segmentAt(timeline: number, number: bigint, segmentBytes: number): string {
  const perLog = 2n ** 32n / BigInt(segmentBytes)
  const hex = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0')
  return `${hex(timeline)}${hex(number / perLog)}${hex(number % perLog)}`
}

/** The timelines that led to one, oldest first, by its history file (empty for the first one). */
export function timelineSteps(timeline: number, history: string): TimelineStep[] {
  const lines = history.split('\n').filter((line) => /^\s*\d/.test(line))
  const before = lines.map((line) => {
    const [number = '', lsn = ''] = line.trim().split(/\s+/)
    return { timeline: Number(number), until_lsn: parseLsn(lsn) }
  })
  return [...before, { timeline, until_lsn: undefined }]
}

/**
 * The first segment that is missing in an archive although later ones are there; undefined where none is. `from` is the
 * end of the base copy, which contains the log until then.
 */
export function findMissingSegment(
  names: ReadonlySet<string>,
  steps: readonly TimelineStep[],
  { from, segment_bytes }: { readonly from: bigint; readonly segment_bytes: number },
): string | undefined {
  const bytes = BigInt(segment_bytes)
  const isOfWay = (name: string) => steps.some(({ timeline }) => name.startsWith(hexOf(timeline)))
  const numbers = [...names].filter((name) => isSegmentName(name) && isOfWay(name)).map((name) => numberOf(name, bytes))
  const last = numbers.reduce((one, other) => (one > other ? one : other), 0n)
  // The copy has its last segment up to its end, and the archive has it whole.
  for (let number = from / bytes; number <= last; number += 1n) {
    const possible = steps.filter((step, at) => isOn(step, steps[at - 1], number, bytes))
    if (possible.some(({ timeline }) => names.has(segmentAt(timeline, number, segment_bytes)))) continue
    return segmentAt(possible.at(-1)?.timeline ?? 1, number, segment_bytes)
  }
  return undefined
}

/** Whether a segment can be of a timeline. That with the switch is of both. */
function isOn(step: TimelineStep, before: TimelineStep | undefined, number: bigint, bytes: bigint): boolean {
  const first = (before?.until_lsn ?? 0n) / bytes
  const last = step.until_lsn === undefined ? undefined : step.until_lsn / bytes
  return number >= first && (last === undefined || number <= last)
}

function hexOf(timeline: number): string {
  return timeline.toString(16).toUpperCase().padStart(8, '0')
}

function numberOf(name: string, bytes: bigint): bigint {
  const perLog = 2n ** 32n / bytes
  return BigInt(`0x${name.slice(8, 16)}`) * perLog + BigInt(`0x${name.slice(16, 24)}`)
}

/** The name of the history file of a timeline. */
export function historyName(timeline: number): string {
  return `${hexOf(timeline)}.history`
}

/** Which archived files no backup from a position on needs: the segments before it. Histories are kept. */
export function filesBefore(names: readonly string[], lsn: bigint, segmentBytes: number): string[] {
  const bytes = BigInt(segmentBytes)
  const first = lsn / bytes
  return names.filter((name) => /^[0-9A-F]{24}/.test(name) && numberOf(name, bytes) < first)
}
