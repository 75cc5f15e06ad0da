/** The names of the drivers; the first is the one for real machines. */
export const driverNames = ['qemu', 'simulated'] as const
