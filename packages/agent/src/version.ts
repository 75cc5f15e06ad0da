/** Which build of the agent this is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of this agent in a checkout, and of one that was unpacked without a manifest. */
const agentVersion = '0.1.0'

/** The version of a build, and the commit that it was made from; null if that is not known. */
type AgentBuild = { readonly version: string; readonly commit: string | null }

/** Reads which build this is: the manifest that was signed lies beside the program that was unpacked. */
export function readBuild(): AgentBuild {
  try {
    const text = readFileSync(join(import.meta.dirname, '../../../manifest.json'), 'utf8')
    const { version, commit } = JSON.parse(text) as AgentBuild
    return { version, commit }
  } catch {
    return { version: agentVersion, commit: null }
  }
}
