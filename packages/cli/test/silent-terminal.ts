import type { Terminal } from '../src/output/terminal.ts'

/** A terminal of which a test reads nothing. */
export const silentTerminal: Terminal = {
  data: () => {},
  raw: () => {},
  note: () => {},
  ask: async () => undefined,
  width: undefined,
  dim: String,
  red: String,
  bidColour: String,
  askColour: String,
}
