/** Structured log lines on standard error, one JSON object each. Values of type Secret print a placeholder. */
import { pino } from 'pino'

type LogFields = Record<string, unknown>

/** The log of the program. Each line has fields and a sentence. */
export type Log = {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** Whether lines of a level are written, for callers to which preparing one is costly. */
  isLevelEnabled(level: 'debug' | 'info'): boolean
}

/** Which process wrote a line. */
export type LogOrigin = { readonly replica: string; readonly pid: number; readonly version: string }

/** Workers write to one pipe. What is no longer than this is not mixed with the lines of another process. */
const pipeBytes = 4096

/**
 * Opens the log. `silent` writes nothing. A test may redirect the lines from standard error. Every line has the members
 * of the origin, if one is given.
 */
export function openLog(
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent',
  destination: { write(line: string): void } = pino.destination({ dest: 2, sync: false, maxWrite: pipeBytes }),
  origin: LogOrigin | null = null,
): Log {
  return pino({ level, base: origin && { ...origin }, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/** A log that writes nothing. */
export function silentLog(): Log {
  return openLog('silent')
}
