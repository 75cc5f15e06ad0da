/** How often the desk reads what no event tells of. */
export const deskPace = { every: 10_000 } as const
