/** The rows whose secrets depend on a master key, and sealing those again that can be. */
import type { Environment } from '@bourse/text/program.ts'
import { readConfig } from '../config.ts'
import { openLog } from '../core/base/log.ts'
import type { Db } from '../core/db/db.ts'
import { readKeyFiles } from '../core/keys/key-files.ts'
import { systemCommand } from '../core/work/command.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { countEnrolmentsByKey } from '../fleet/hosts/host-enrolments.store.ts'
import { resealUserData } from '../fleet/instances/cloud-init.service.ts'
import { countUserDataByKey } from '../fleet/instances/cloud-init.store.ts'
import { resealWebhookSecrets } from '../webhooks/webhook-secrets.service.ts'
import { countSecretsByKey } from '../webhooks/webhooks.store.ts'

/** Rows of one kind that need a master key. */
export type KeyUse = { readonly key_id: number; readonly kind: KeyUseKind; readonly count: number }
/** What depends on master keys. Permits are not sealed: they end by themselves. */
type KeyUseKind = 'user_data' | 'webhook_secrets' | 'host_enrolments'

/** Rows that one transaction locks: enough that few are needed, and requests wait for them for a moment only. */
const rowsAtOnce = 100

/** How many rows need each master key. */
export async function listKeyUses(db: Db): Promise<KeyUse[]> {
  const kinds: [KeyUseKind, Promise<{ key_id: number; count: number }[]>][] = [
    ['user_data', countUserDataByKey(db)],
    ['webhook_secrets', countSecretsByKey(db)],
    ['host_enrolments', countEnrolmentsByKey(db)],
  ]
  const found = await Promise.all(
    kinds.map(async ([kind, rows]) => (await rows).map(({ key_id, count }): KeyUse => ({ key_id, kind, count }))),
  )
  return found.flat().sort((a, b) => a.key_id - b.key_id)
}

/**
 * Seals all secrets of an installation again that are not sealed under the current master key, while its servers run.
 * Can be interrupted and run again. Returns the present key and what needs which key afterwards.
 */
export async function reencryptSecrets(
  variables: Environment,
): Promise<{ readonly current: number; readonly uses: readonly KeyUse[] }> {
  const config = readConfig('production', variables, { serves: false })
  const keys = await readKeyFiles(config.key_paths, { production: true })
  const { mode, database: target, public_url, log_level } = config
  if (!target) throw new Error('readConfig requires a database in production.')
  const { openRuntime } = await import('../server.ts')
  const { runtime } = await openRuntime({ mode, target, keys, public_url, log: openLog(log_level) })
  await using database = runtime.database
  await resealSecrets(runtime)
  return { current: keys.master.current.key_id, uses: await listKeyUses(database.reader) }
}

/** Seals secrets again, at most those of `limit` rows in one transaction. What was done before an end stays done. */
export async function resealSecrets(runtime: Runtime, limit = rowsAtOnce): Promise<void> {
  for (const reseal of [resealUserData, resealWebhookSecrets]) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const behind: string = after
      after = await systemCommand(runtime, (ctx) => reseal(ctx, behind, limit))
    }
  }
}
