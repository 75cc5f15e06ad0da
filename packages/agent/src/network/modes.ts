/** The network modes: as much as the host allows, SSH only, or full networks or none. */
export const networkModes = ['auto', 'ssh_only', 'full'] as const
