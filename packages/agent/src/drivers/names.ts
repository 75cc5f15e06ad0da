/** The names of the drivers. The first is the default. */
export const driverNames = ['qemu', 'simulated'] as const
