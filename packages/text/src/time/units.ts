/** Units of time in seconds. */
export const minuteSeconds = 60
export const hourSeconds = 3_600
export const daySeconds = 86_400
export const weekSeconds = 604_800
