/** Runs all audits of the database. */
import assert from 'node:assert/strict'
import { app } from '../../src/app.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { TestServer } from './server.ts'

/** Fails with the rows that violate an invariant. Does nothing if the server runs in another process. */
export async function assertAuditsPass(server: TestServer): Promise<void> {
  if (!server.inside) return
  const findings = await runAudit(server.inside.runtime.database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )
}
