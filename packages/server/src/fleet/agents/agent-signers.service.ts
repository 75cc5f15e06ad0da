/** The keys whose signatures hosts are to accept under versions of the agent, as the operator names them. */
import { readFile } from 'node:fs/promises'
import { readSigners } from '@bourse/api/fleet/agent-signatures.ts'
import { startProblem } from '../../core/base/start-problem.ts'

const signersMax = 16

declare module '../../core/work/services.ts' {
  interface Services {
    /** The keys that may sign versions of the agent. Empty: the operator names none, and each host has its own. */
    readonly agent_signers: readonly string[]
  }
}

/** Reads the keys from a file. Throws a start problem where it has none. */
export async function readAgentSigners(path: string | undefined): Promise<string[]> {
  if (path === undefined) return []
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw startProblem('bad_configuration', `BOURSE_AGENT_SIGNERS_FILE: ${path} cannot be read: ${error.code}.`)
  })
  const signers = readSigners(text)
  if (signers.length > 0 && signers.length <= signersMax) return signers
  const found = `${path} has ${signers.length} keys ssh-ed25519`
  throw startProblem('bad_configuration', `BOURSE_AGENT_SIGNERS_FILE: ${found}, and may have 1 to ${signersMax}.`)
}
