/** Types the drill of docs/guides/failover.md while a client writes: the primary ends, the standby takes its place. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { type Client, createClient } from '../../sdk/src/client.ts'
import { ensureKeyFiles } from '../../server/src/core/keys/key-files.ts'
import { safeSettings } from '../../server/test/chaos/setting.ts'
import { makeTemplate, startPair } from '../../server/test/restart/failover/database-pair.ts'
import { runBourse, startReplica } from '../../server/test/restart/upgrade/production.ts'
import { definePgCtl } from './postgres-commands.ts'
import { newDirectory, noCurl } from './sandbox-process.ts'
import { root, shownBlocks } from './shown-blocks.ts'
import { type } from './typed-shell.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

/** Creates accounts, one after the other, each retried until it is there. */
function writeAccounts(client: Client) {
  const acknowledged: string[] = []
  let isOver = false
  const work = async () => {
    for (let number = 0; !isOver; number++) {
      const { id } = await client.accounts.create({ id: `account-${number}`, name: `Account ${number}` })
      acknowledged.push(id)
    }
  }
  const ended = work()
  return {
    acknowledged,
    more: async (count: number) => {
      const goal = acknowledged.length + count
      await Promise.race([
        eventually(`${count} more accounts are created`, () => acknowledged.length >= goal),
        // It only ends by itself where it fails.
        ended.then(() => assert.fail('the writer has ended')),
      ])
    },
    stop: async () => {
      isOver = true
      await ended
    },
  }
}

test('the drill of docs/guides/failover.md loses nothing, and servers write again', leftOut(noCurl), async () => {
  const template = stack.use(await makeTemplate('bourse', async () => {}, safeSettings))
  const pair = stack.use(await startPair(template, { synchronous: true, more: safeSettings }))
  const [primary = '', standby = ''] = [pair.target, ...(pair.target.others ?? [])].map(({ host }) => host)
  const directories = await Promise.all([primary, standby].map(findDirectory))
  const home = newDirectory()
  const keys = await ensureKeyFiles(join(home, 'keys'), 'operator')
  const [line = '', ...drill] = shownBlocks('docs/guides/failover.md', '# Failover').flat()
  assert.ok(drill.length >= 4, drill.join('\n'))
  const [, shown = ''] = /BOURSE_DATABASE_URL='(\S+)'/.exec(line) ?? []
  // The page names machines; here they are sockets.
  const named = 'owner@db1.example,db2.example:5433'
  const sockets = `bourse@${encodeURIComponent(primary)},${encodeURIComponent(standby)}`
  assert.ok(shown.includes(named), shown)
  const variables = {
    BOURSE_DATABASE_URL: shown.replace(named, sockets),
    BOURSE_PUBLIC_URL: 'https://market.example',
    BOURSE_SIGNING_KEYS_FILE: keys.signing,
    BOURSE_MASTER_KEY_FILE: keys.master,
    BOURSE_CURSOR_KEYS_FILE: keys.cursor,
    BOURSE_PORT: '0',
    BOURSE_METRICS_PORT: '0',
    BOURSE_WORKERS: '1',
    BOURSE_DATA_DIR: join(home, 'data'),
  }
  const made = await runBourse(root, ['tokens', 'create', '--platform', '--json'], variables)
  assert.equal(made.code, 0, made.err)
  const server = stack.use(await startReplica(root, variables))
  const client = createClient({ baseUrl: server.url, token: JSON.parse(made.out).token, maxRetries: 1000 })
  const writer = writeAccounts(client)
  await writer.more(10)

  const commands = [line.replace(named, sockets), ...drill].map((command) =>
    command
      .replace('/var/lib/postgresql/18/main', (command.includes(' stop ') ? directories[0] : directories[1]) ?? '')
      .replace('http://127.0.0.1:8080', server.url),
  )
  const exported = Object.entries(variables).filter(([name]) => name !== 'BOURSE_DATABASE_URL')
  const settings = exported.map(([name, value]) => `export ${name}='${value}'`)
  const { code, out } = await type([...settings, ...commands], home, `${await definePgCtl()}\n${programAlias}`)
  assert.equal(code, 0, `${out}\n${server.log()}`)
  assert.match(out, /history 2 began at .*: a standby was promoted\..* No lost event was observed\./)

  await writer.more(10)
  await writer.stop()
  const there = (await client.accounts.list().all({ max: 10_000 })).map(({ id }) => id)
  assert.deepEqual(there.filter((id) => id.startsWith('account-')).toSorted(), writer.acknowledged.toSorted())
})

const programAlias = `alias bourse='${process.execPath} packages/cli/bin/bourse.mjs'`

/** The data directory of a server. */
async function findDirectory(host: string): Promise<string> {
  const client = new pg.Client({ host, port: 5432, user: 'bourse', database: 'postgres' })
  await client.connect()
  try {
    const { rows } = await client.query<{ path: string }>("select current_setting('data_directory') as path")
    return rows[0]?.path ?? ''
  } finally {
    await client.end()
  }
}
