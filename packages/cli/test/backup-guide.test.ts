/** Types docs/guides/backup.md: a backup and its proof as shown, and then the drill. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { ensureKeyFiles } from '../../server/src/core/keys/key-files.ts'
import { makeSocketDirectory } from '../../server/src/core/postgres/postgres-place.ts'
import { makeSharedDirectory, postgresUser } from '../../server/test/restart/backups/restored-cluster.ts'
import { runBourse } from '../../server/test/restart/upgrade/production.ts'
import { startDurableCluster } from '../../server/test/support/cluster.ts'
import { definePgCtl } from './postgres-commands.ts'
import { newDirectory } from './sandbox-process.ts'
import { root, shownBlocks } from './shown-blocks.ts'
import { followSession } from './shown-documents.ts'
import { type } from './typed-shell.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

const program = `'${process.execPath}' '${join(root, 'packages/cli/bin/bourse.mjs')}'`
const home = newDirectory()
const location = await makeSharedDirectory(stack)
/** Where the server of the copy has its data. */
const servers = await makeSharedDirectory(stack)
const restored = join(servers, 'restored')
const archive = `${program} backup archive-wal '${location}' "%p" "%f"`
const cluster = stack.use(await startDurableCluster({ archive_mode: 'on', archive_command: archive }))
const { user, host, database } = cluster.target
const keys = join(home, 'keys')
const { signing, master, cursor } = await ensureKeyFiles(keys, 'operator')
const ofKeys = {
  BOURSE_PUBLIC_URL: 'https://market.example',
  BOURSE_SIGNING_KEYS_FILE: signing,
  BOURSE_MASTER_KEY_FILE: master,
  BOURSE_CURSOR_KEYS_FILE: cursor,
  BOURSE_DATA_DIR: join(home, 'data'),
}
const settings = { ...ofKeys, BOURSE_DATABASE_URL: `postgres://${user}@/${database}?host=${host}` }
const made = await runBourse(root, ['tokens', 'create', '--platform', '--json'], settings)
assert.equal(made.code, 0, made.err)

/** The program with the paths of this test in place of those of the page. */
function definition(variables: Readonly<Record<string, string>>): string {
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
  return `${exported.join('\n')}
bourse() {
  # No sandbox has to come to rest before a list.
  [[ "$1 $2" != 'sandbox settle' ]] || return 0
  local words=("\${@//\\/var\\/backups\\/bourse/${location}}")
  words=("\${words[@]//\\/etc\\/bourse\\/keys/${keys}}")
  ${program} "\${words[@]}"
}`
}

test('docs/guides/backup.md makes and verifies a backup as shown', async () => {
  const operator = { directory: home, definition: definition(settings) }
  await followSession(operator, 'docs/guides/backup.md')
})

test('the drill of docs/guides/backup.md restores the backup beside the database', async () => {
  const as = await postgresUser()
  const sockets = await makeSocketDirectory(undefined, as)
  const pgCtl = await definePgCtl()
  stack.defer(async () => {
    const stop = `pg_ctl stop --mode immediate --pgdata '${restored}'`
    if (existsSync(join(restored, 'postmaster.pid'))) await type([stop], home, pgCtl)
  })
  const shown = shownBlocks('docs/guides/backup.md', '## A drill').flat()
  assert.ok(shown.length >= 6, shown.join('\n'))
  // The settings of this test's PostgreSQL are on its command line, and it listens at a socket.
  const commands = shown.map((command) =>
    command
      .replaceAll('/var/lib/postgresql/18', servers)
      .replace('-c port=5433', `-c port=5433 -c listen_addresses= -c unix_socket_directories=${sockets}`)
      .replace('owner@localhost:5433', `${user}@${encodeURIComponent(sockets)}:5433`),
  )
  const { code, outputs, out } = await type(commands, home, `${definition(ofKeys)}\n${pgCtl}`)
  assert.equal(code, 0, out)
  const [listed = '', verified = '', , , examined = ''] = outputs
  assert.match(listed, /\d{8}T\d{6}Z/)
  assert.match(verified, /^ok +keys /m)
  assert.match(verified, /can be restored\./)
  assert.match(examined, /^note +history +history 2 began/m)
  assert.equal(existsSync(join(restored, 'postmaster.pid')), false)
})
