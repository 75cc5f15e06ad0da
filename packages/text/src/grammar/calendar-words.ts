/** The words of the calendar. */

/** Days by words, in days from the present one. */
export const dayWords: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }
/** The days of a week. */
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** Months in short. */
export const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Months in full. */
export const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
