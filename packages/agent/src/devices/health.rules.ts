// The health of devices and of the host between two looks, from the counters of the kernel.

/** What the kernel counts of one function. Null: it does not say. */
export type FunctionReading = {
  readonly pci: string
  readonly is_there: boolean
  readonly answers: boolean
  /** The read has not ended within so many seconds, so nothing else is known of it. */
  readonly late_after?: number
  readonly fatal_errors: number | null
  readonly nonfatal_errors: number | null
}

/** The part of a reading with which later ones are compared. */
export type ErrorCounts = Pick<FunctionReading, 'pci' | 'fatal_errors' | 'nonfatal_errors'>

/** What the kernel counts of the host. */
export type HostReading = {
  /** Milliseconds since some start. */
  readonly at: number
  readonly functions: readonly FunctionReading[]
  /** Uncorrectable errors by memory controller, since the host started. */
  readonly memory_errors: ReadonlyMap<string, number>
  /** Milliseconds that the processors were throttled by heat: the highest of all packages. */
  readonly throttled: number | null
}

/** Processors that are throttled for more of the time give less than was sold. */
const throttledShareMax = 0.1

/**
 * What is wrong with a host. The errors of a function are compared with its first reading, or the one after its last
 * reset; the heat with the reading before.
 */
export function healthProblems(
  now: HostReading,
  { first, before }: { readonly first: ReadonlyMap<string, ErrorCounts>; readonly before?: HostReading | undefined },
): string[] {
  const problems = now.functions.flatMap((one) => functionProblem(one, first.get(one.pci)) ?? [])
  for (const [controller, count] of now.memory_errors) {
    if (count > 0) problems.push(`${count} uncorrectable memory errors on ${controller} since the host started`)
  }
  const share = throttledShare(now, before)
  if (share > throttledShareMax) {
    problems.push(`the processors are too hot: throttled ${Math.round(share * 100)} % of the time`)
  }
  return problems
}

function functionProblem(now: FunctionReading, before: ErrorCounts | undefined): string | undefined {
  if (now.late_after !== undefined) return `${now.pci} does not answer within ${now.late_after} s: it hangs`
  if (!now.is_there) return `${now.pci} is gone: it fell off its bus`
  if (!now.answers) return `${now.pci} does not answer: it fell off its bus`
  const fatal = grown(now.fatal_errors, before?.fatal_errors)
  if (fatal > 0) return `${now.pci} has ${fatal} fatal bus errors (AER) since its last reset`
  const nonfatal = grown(now.nonfatal_errors, before?.nonfatal_errors)
  return nonfatal > 0 ? `${now.pci} has ${nonfatal} uncorrectable bus errors (AER) since its last reset` : undefined
}

/** A counter that the kernel began again has grown by all that it shows. */
function grown(now: number | null, before: number | null | undefined): number {
  if (now === null || before === null || before === undefined) return 0
  return now >= before ? now - before : now
}

function throttledShare(now: HostReading, before: HostReading | undefined): number {
  if (!before || now.throttled === null || before.throttled === null || now.at <= before.at) return 0
  return Math.max(0, now.throttled - before.throttled) / (now.at - before.at)
}

/** The sum of an AER file such as `aer_dev_fatal`: one kind and its count a line, the total last. */
export function errorTotal(text: string | undefined): number | null {
  const [, total] = /^TOTAL_ERR_\w+ (\d{1,15})$/m.exec(text ?? '') ?? []
  return total === undefined ? null : Number(total)
}

/** What later readings of a function are compared with. */
export function countsOf({ pci, fatal_errors, nonfatal_errors }: FunctionReading): ErrorCounts {
  return { pci, fatal_errors, nonfatal_errors }
}
