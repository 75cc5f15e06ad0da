/** Moments as a page shows them, in the language and the zone of the browser. */

const moments = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const datedMoments = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** A moment in local time; with the year where it is not that of this machine's clock. */
export function momentText(at: number): string {
  const date = new Date(at * 1000)
  return (date.getFullYear() === new Date().getFullYear() ? moments : datedMoments).format(date)
}
