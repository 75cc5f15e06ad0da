/** How much of a network machines may be given: as much as the host can, the secure shell alone, or all or nothing. */
export const networkModes = ['auto', 'ssh_only', 'full'] as const
