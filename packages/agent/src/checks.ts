/** The results of checks as people and programs read them. */
import type { Finding } from './drivers/driver.ts'

/** A check of the host. */
export type HostCheck = {
  readonly object: 'host_check'
  readonly name: string
  /** `limited`: machines run without it, with restrictions. */
  readonly status: 'ok' | 'limited' | 'missing'
  readonly message: string
}

/** A check as a line of text. */
export function checkLine({ status, name, message }: HostCheck): string {
  return `${status.padEnd('missing'.length)} ${name}: ${message}`
}

/** The result of a check as it is printed. */
export function checkOf({ subject, is_good, is_optional, message }: Finding): HostCheck {
  const status = is_good ? 'ok' : is_optional ? 'limited' : 'missing'
  return { object: 'host_check', name: subject, status, message }
}
