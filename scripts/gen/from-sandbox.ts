import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { recordedCalls } from '../../packages/api/src/generated/examples.ts'
import type { RecordedCalls } from '../../packages/api/src/openapi/examples.ts'
import { buildWithoutExamples } from '../../packages/api/src/openapi.ts'
import { clusterVariable, startTestCluster } from '../../packages/server/test/support/cluster.ts'
import { recordExamples } from './examples/record.ts'

const path = 'packages/api/src/generated/examples.ts'

/**
 * The calls for the examples of the reference, and the text of their file. They are recorded again only if the contract
 * or the list of calls has changed, because that starts a sandbox and takes ten seconds.
 */
export async function printFromSandbox(): Promise<{ recorded: RecordedCalls; printed: Map<string, string> }> {
  const contract = fingerprint()
  const known = readFileSync(path, 'utf8')
  if (known.includes(`contract: ${contract}\n`)) return { recorded: recordedCalls, printed: new Map([[path, known]]) }
  const recorded = await onCluster(recordExamples)
  return { recorded, printed: new Map([[path, printRecorded(recorded, contract)]]) }
}

function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(buildWithoutExamples()))
  const calls = ['scripts/gen/examples/!(*.test).ts', 'packages/server/test/calls/!(*.test).ts']
  for (const file of globSync(calls).sort()) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

function printRecorded(recorded: RecordedCalls, contract: string): string {
  return `/** Recorded from a sandbox by \`npm run gen\`. Do not edit. contract: ${contract}
 */
import type { RecordedCalls } from '../openapi/examples.ts'

/** What was sent and received in one call of each operation. */
export const recordedCalls: RecordedCalls = ${JSON.stringify(recorded, null, 2)}
`
}

async function onCluster<T>(work: () => Promise<T>): Promise<T> {
  if (process.env[clusterVariable]) return work()
  await using cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.socket_directory
  try {
    return await work()
  } finally {
    delete process.env[clusterVariable]
  }
}
