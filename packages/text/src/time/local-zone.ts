/** Names of time zones. */

/** The time zone of this machine. UTC where it names none that the platform knows, as an empty `TZ` does. */
export function localZone(): string {
  // An unknown TZ is undefined here, and an empty one is Etc/Unknown.
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone !== undefined && isZone(zone) ? zone : 'UTC'
}

/** Whether the platform knows a time zone. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
