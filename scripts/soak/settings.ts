/** The shortest run whose slope says anything: ten minutes to warm up, five to measure. */
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
