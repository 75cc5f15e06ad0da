/**
 * Where the agent finds the programs that it starts without its own environment, in which there may be secrets: the
 * usual folders of Linux.
 */
export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
