/** What all failovers of a file share: a migrated cluster with a world, and the keys of its servers. */
import { createCryptoRandom } from '../../../src/core/base/random.ts'
import { makeKeys } from '../../../src/core/keys/key-files.ts'
import { loadKeys } from '../../../src/core/keys/keys.ts'
import { migrate } from '../../../src/core/migrations/migrate.ts'
import { readMigrations } from '../../../src/core/migrations/migration-files.ts'
import { openTestServer } from '../../support/server.ts'
import { makeTemplate } from './database-pair.ts'
import type { Setting } from './run.ts'
import { type FailoverWorld, makeFailoverWorld } from './world.ts'

const migrations = `${import.meta.dirname}/../../../../../migrations`

/** Makes them. The caller disposes the template. */
export async function makeSetting(): Promise<Setting> {
  const keys = loadKeys(makeKeys('sandbox', createCryptoRandom()))
  const schema_version = (await readMigrations(migrations)).length
  let world: FailoverWorld | undefined
  const template = await makeTemplate('bourse', async (target) => {
    await migrate(target, { directory: migrations, log: () => {} })
    await using server = await openTestServer({ target, keys })
    world = await makeFailoverWorld(server)
  })
  if (!world) throw new Error('The template was made without its world.')
  return { template, keys, schema_version, world }
}
