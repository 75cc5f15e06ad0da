/** The names of the drivers. The first is the default. */
export const driverNames = ['qemu', 'simulated'] as const

/** The name of the check for the firmware that machines with accelerators need. */
export const uefiSubject = 'uefi firmware'
/** The name of the check for what stands between machines and the devices of a host. */
export const devicesSubject = 'devices'
