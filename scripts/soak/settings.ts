/** A server fills its caches then, and what it uses says nothing. */
export const warmMinutes = 10
/** The shortest run whose slope says anything. */
const minutesMin = 15
const minutesMax = 24 * 60
const usualMinutes = 60

/** How many minutes a run takes, as BOURSE_SOAK_MINUTES or --minutes say. Throws if that is no number of minutes. */
export function readSoakMinutes(text: string | undefined): number {
  if (text === undefined) return usualMinutes
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (minutes >= minutesMin && minutes <= minutesMax) return minutes
  const range = `a whole number from ${minutesMin} to ${minutesMax}`
  throw new Error(`The minutes of a soak are ${range}, not '${text}': the first ten are not measured.`)
}

/**
 * The slope that fails, in MB a minute: 1 in an hour or more. Between two whole collections a server may grow by 50 MB
 * that it will give back, so that shorter runs find faster growth only.
 */
export function slopeMaxOf(minutes: number): number {
  return Math.max(1, 50 / (minutes - warmMinutes))
}
