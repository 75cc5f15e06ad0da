/** Structured log lines on standard error, one JSON object each. Values of type Secret print a placeholder. */
import { pino } from 'pino'

type Fields = Record<string, unknown>

/** What the program says about itself. Fields first, then a sentence. */
export type Log = {
  debug(fields: Fields, message: string): void
  info(fields: Fields, message: string): void
  warn(fields: Fields, message: string): void
  error(fields: Fields, message: string): void
  /** Whether lines of that level are written at all, for callers that would pay to make one. */
  isLevelEnabled(level: 'debug' | 'info'): boolean
}

/** Opens the log. `silent` writes nothing. A test may have the lines instead of standard error. */
export function openLog(
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent',
  destination: { write(line: string): void } = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/** A log that writes nothing. */
export function silentLog(): Log {
  return openLog('silent')
}
