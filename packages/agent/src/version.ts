/** The version of this agent. */
export const agentVersion = '0.1.0'
