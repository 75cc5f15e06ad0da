/** Every invariant that the database can tell of, looked for at once. */
import assert from 'node:assert/strict'
import { app } from '../../src/app.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { TestServer } from './server.ts'

/** Fails with the offending rows. Does nothing against a server that runs elsewhere. */
export async function assertAuditsPass(server: TestServer): Promise<void> {
  if (!server.inside) return
  const findings = await runAudit(server.inside.runtime.database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )
}
