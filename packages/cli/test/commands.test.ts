import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'
import { root } from './shown-blocks.ts'

const server = await startTestServer()
const { id: account, token } = await server.account()
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
const bourse = runnerFor(connection)
const platform = runnerFor({ ...connection, BOURSE_API_TOKEN: server.platform_token })

async function make(...names: string[]): Promise<void> {
  for (const name of names) assert.equal((await bourse('firewalls', 'create', '--name', name)).code, 0)
}

test('no token is sent to an http URL of another machine, unless told otherwise', async () => {
  // 0.0.0.0 reaches this machine, but is not one of the addresses that can only be this machine.
  const BOURSE_BASE_URL = server.url.replace('127.0.0.1', '0.0.0.0')
  const open = runnerFor({ ...connection, BOURSE_BASE_URL })
  const refused = await open('workspaces', 'list')
  assert.deepEqual([refused.code, refused.out], [2, ''])
  assert.match(refused.err, /is not encrypted[\s\S]*--insecure-http/)
  assert.equal((await bourse('workspaces', 'list', '--base-url', 'http://192.0.2.1')).code, 2)
  assert.equal((await open('workspaces', 'list', '--insecure-http')).code, 0)
  const told = runnerFor({ ...connection, BOURSE_BASE_URL, BOURSE_INSECURE_HTTP: '1' })
  assert.equal((await told('workspaces', 'list')).code, 0)
})

test('JSON output is the JSON of the API, for an object and for a list', async () => {
  const made = await bourse('workspaces', 'create', '--name', 'lab', '-o', 'json')
  assert.equal(made.err, '')
  const workspace = JSON.parse(made.out)
  assert.deepEqual(workspace, await server.call('get_workspace', { params: { id: workspace.id }, token }))
  const listed = await bourse('workspaces', 'list', '--json')
  const { cursor: _, ...raw } = await server.call('list_workspaces', { token })
  const { cursor, ...shown } = JSON.parse(listed.out)
  assert.deepEqual(shown, raw)
  assert.match(cursor, /^wkspc_/)
})

test('a resource is named by id, by path or by name', async () => {
  await make('named')
  const read = async (name: string) => JSON.parse((await bourse('firewalls', 'get', name, '--json')).out).id
  const id = await read('named')
  assert.match(id, /^frwl_/)
  assert.equal(await read(id), id)
  assert.equal(await read(`svc:firewall:${account}:default:named`), id)
  const role = await bourse('roles', 'get', 'viewer', '--json')
  assert.equal(JSON.parse(role.out).id, 'role_viewer')
})

test('a table has the requested columns, and csv and ids contain only data', async () => {
  await make('t1', 't2')
  const table = await bourse('firewalls', 'list', '--columns', 'name,workspace,is_default')
  assert.match(table.out, /^NAME +WORKSPACE +IS DEFAULT\nt2 +default +false\nt1 +default +false\n/)
  const csv = await bourse('firewalls', 'ls', '-o', 'csv', '--columns', 'name,tags', '--no-header', '--limit', '2')
  assert.equal(csv.out, 't2,\nt1,\n')
  await bourse('firewalls', 'update', 't2', '--tag', 'team=blue')
  const quoted = await bourse('firewalls', 'ls', '-o', 'csv', '--columns', 'name,tags', '--no-header', '--limit', '1')
  assert.equal(quoted.out, 't2,"{""team"":""blue""}"\n')
  const ids = await bourse('firewalls', 'list', '-o', 'id', '--limit', '2')
  assert.match(ids.out, /^frwl_\S+\nfrwl_\S+\n$/)
  assert.equal(ids.err, '')
  const wrong = await bourse('firewalls', 'list', '--columns', 'nmae')
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
  assert.match(wrong.err, /no column "nmae"[\s\S]*Columns: .*name/)
})

test('a list reads the requested number of pages and prints the cursor to continue with', async () => {
  await make('p1', 'p2', 'p3')
  const two = JSON.parse((await bourse('firewalls', 'list', '--limit', '2', '--json')).out)
  assert.deepEqual([two.data.length, two.has_more], [2, true])
  const rest = await bourse('firewalls', 'list', '--all', '--starting-after', two.cursor, '-o', 'jsonl')
  const all = await bourse('firewalls', 'list', '--all', '-o', 'jsonl')
  assert.equal(all.out.split('\n').length, rest.out.split('\n').length + 2)
  const table = await bourse('firewalls', 'list', '--limit', '1')
  assert.match(table.err, /--starting-after frwlc_/)
  assert.equal((await bourse('firewalls', 'list', '--limit', '0')).code, 2)
})

test('tags, JSON members and a whole JSON body are accepted', async () => {
  const rules = '[{"protocol":"tcp","port_from":443,"source_cidr":"0.0.0.0/0"}]'
  const made = await bourse(
    'firewalls',
    'create',
    '--name',
    'r',
    '--tag',
    'a=1',
    '--tag',
    'b=2',
    '--rules',
    rules,
    '--json',
  )
  const { tags, rules: kept } = JSON.parse(made.out)
  assert.deepEqual(tags, { a: '1', b: '2' })
  assert.equal(kept.length, 1)
  const body = await bourse('firewalls', 'create', '--body', `{"name":"from-body","rules":${rules}}`, '-o', 'id')
  assert.match(body.out, /^frwl_/)
  assert.equal((await bourse('firewalls', 'create', '--body', '[1]')).code, 2)
  assert.equal((await bourse('firewalls', 'create', '--rules', '{')).code, 2)
})

test('a deletion reports the resource on standard error and prints nothing on standard output', async () => {
  await make('gone')
  const deleted = await bourse('firewalls', 'delete', 'gone', '--yes')
  assert.deepEqual([deleted.code, deleted.out], [0, ''])
  assert.match(deleted.err, /^Deleted: svc:firewall:/)
  const again = await bourse('firewalls', 'rm', 'gone', '--yes')
  assert.equal(again.code, 4)
})

test('a creating call with the same key takes effect once, and the replay is reported', async () => {
  const first = await bourse('workspaces', 'create', '--name', 'once', '--idempotency-key', 'k1', '-o', 'id')
  const second = await bourse('workspaces', 'create', '--name', 'once', '--idempotency-key', 'k1', '-o', 'id')
  assert.equal(second.out, first.out)
  assert.match(second.err, /earlier call with the same key/)
})

test('exit codes distinguish kinds of failure, and the message has field, code, remedy and request id', async () => {
  await make('taken')
  const taken = await bourse('firewalls', 'create', '--name', 'taken')
  assert.deepEqual([taken.code, taken.out], [5, ''])
  assert.match(taken.err, /^Error: .*\n {2}name: .*name_taken.*\n {2}Choose another name.*\n {2}Request id: req_/)
  const refused = await bourse('firewalls', 'create', '--name', '-bad-')
  assert.deepEqual([refused.code, /invalid_format/.test(refused.err)], [8, true])
  assert.equal((await bourse('firewalls', 'get', 'frwl_none')).code, 4)
  assert.equal((await bourse('accounts', 'list')).code, 4)
  const stranger = runnerFor({ ...connection, BOURSE_API_TOKEN: 'not.a.token' })
  assert.equal((await stranger('firewalls', 'list')).code, 77)
  const nobody = runnerFor({ BOURSE_BASE_URL: 'http://127.0.0.1:1', BOURSE_API_TOKEN: 'a' })
  assert.equal((await nobody('firewalls', 'list')).code, 7)
  const unset = await runnerFor({})('firewalls', 'list')
  assert.equal(unset.code, 77)
  assert.match(unset.err, /bourse start/)
  assert.equal((await bourse('firewalls')).code, 2)
  assert.equal((await bourse('firewalls', 'list', '-o', 'xml')).code, 2)
  assert.equal((await bourse('roles', 'create', '--name', 'a')).code, 2)
  assert.match((await bourse('firewals', 'list')).err, /Did you mean firewalls/)
})

test('errors of the command line, the address and the token are distinguished from a missing resource', async () => {
  const empty = await bourse('firewalls', 'get', '')
  assert.deepEqual([empty.code, /^Error: <id> is empty/.test(empty.err)], [2, true])
  assert.equal((await bourse('skus', 'get', 'no-such-alias')).code, 4)
  for (const address of ['nonsense', 'ftp://127.0.0.1']) {
    const astray = await bourse('firewalls', 'list', '--base-url', address)
    assert.deepEqual([astray.code, /http or https[\s\S]*BOURSE_BASE_URL/.test(astray.err)], [2, true])
  }
  const torn = await runnerFor({ ...connection, BOURSE_API_TOKEN: 'to\nrn' })('firewalls', 'list')
  assert.deepEqual([torn.code, torn.err.includes('to\nrn')], [77, false])
  const stranger = await runnerFor({ ...connection, BOURSE_API_TOKEN: 'not.a.token' })('firewalls', 'list')
  const sentences = stranger.err.split('\n').map((line) => line.replace('Error:', '').trim())
  assert.equal(new Set(sentences).size, sentences.length, stranger.err)
})

test('with a JSON format a failure is one line of JSON on standard error', async () => {
  const { code, out, err } = await bourse('firewalls', 'get', `frwl_${'0'.repeat(21)}`, '-o', 'json')
  assert.deepEqual([code, out], [4, ''])
  const { error } = JSON.parse(err)
  assert.deepEqual([error.type, error.status], ['not_found', 404])
  assert.match(error.request_id, /^req_/)
})

test('--curl prints the request instead of sending it, with the token in a variable', async () => {
  await make('kept')
  const shown = await bourse('firewalls', 'delete', 'kept', '--curl')
  assert.equal(shown.code, 0)
  const path = `/preview/v2/firewalls/svc%3Afirewall%3A${account}%3Adefault%3Akept`
  assert.equal(shown.out, `curl -sS -X DELETE -H "Authorization: Bearer $BOURSE_API_TOKEN" '${server.url}${path}'\n`)
  assert.equal((await bourse('firewalls', 'get', 'kept')).code, 0)
  const whole = await bourse('firewalls', 'list', '--curl', '--show-token')
  assert.ok(whole.out.includes(`Authorization: Bearer ${token}`))
})

test('--debug logs each request without secrets', async () => {
  const { code, err } = await bourse('tokens', 'create', '--name', 'quiet', '--debug', '-o', 'id')
  assert.equal(code, 0)
  assert.match(err, /\[debug\] POST \/preview\/v2\/tokens 201 \d+ ms req_/)
  assert.ok(!err.includes(token))
})

test('tokens are created with roles and an end, listed without their secret, and deleted by name', async () => {
  const made = await bourse('tokens', 'create', '--name', 'ci', '--roles', 'viewer', '--expires-at', '+30d', '--json')
  const { token: secret, expires_at, created_at } = JSON.parse(made.out)
  // The span counts from the server's clock as it was read before the request.
  const life = expires_at - created_at
  assert.ok(life <= 30 * 86_400 && life > 30 * 86_400 - 60, String(life))
  const asViewer = runnerFor({ ...connection, BOURSE_API_TOKEN: secret })
  assert.equal((await asViewer('firewalls', 'list')).code, 0)
  assert.equal((await asViewer('firewalls', 'create')).code, 77)
  const lasting = await bourse('tokens', 'create', '--name', 'lasting', '--no-expire', '--json')
  assert.equal(JSON.parse(lasting.out).expires_at, null)
  const list = await bourse('tokens', 'list', '--all', '--json')
  assert.ok(list.out.includes('"name": "ci"') && !list.out.includes(secret))
  assert.equal((await bourse('tokens', 'delete', 'ci', '--yes')).code, 0)
  assert.equal((await bourse('tokens', 'get', 'ci')).code, 4)
})

test('the sandbox clock is read, and moved by durations', async () => {
  const before = JSON.parse((await bourse('sandbox', 'clock', '--json')).out).now
  const moved = JSON.parse((await bourse('sandbox', 'advance', '90m', '--json')).out)
  assert.ok(moved.settled && moved.now - before >= 5400 && moved.now - before < 5460)
  assert.equal((await bourse('sandbox', 'advance', 'soon')).code, 2)
})

test('an operator command accepts several parameters, and null as a value', async () => {
  const set = await platform('account-limits', 'put', account, 'workspaces', '7', '--json')
  assert.deepEqual([set.code, JSON.parse(set.out).value], [0, 7])
  const lifted = await platform('account-limits', 'put', account, 'workspaces', 'null', '--json')
  assert.equal(JSON.parse(lifted.out).value, null)
  assert.equal((await platform('account-limits', 'delete', account, 'workspaces', '--yes')).code, 0)
})

test('events are listed with filters, and times can be relative to the clock of the server', async () => {
  await platform('accounts', 'set-trust-level', account, 'partner')
  const listed = await bourse('events', 'list', '--since', '-1h', '--action', 'trust_level.updated', '-o', 'jsonl')
  assert.equal(JSON.parse(listed.out).targets[0].id, account)
  const none = await bourse('events', 'list', '--until', '-6d')
  assert.deepEqual(
    [none.code, none.out, none.err],
    [0, '', 'There are no events that match. Without the filters there may be some.\n'],
  )
})

test('version prints the versions of the program and of the server', async () => {
  const { out } = await bourse('version', '--json')
  const { version, commit, schema, server: other } = JSON.parse(out)
  assert.equal(other.version, version)
  const migrations = readdirSync(join(root, 'migrations')).filter((name) => name !== 'schema.sql')
  assert.deepEqual([commit, schema], [null, migrations.length])
  assert.match((await bourse('version')).out, new RegExp(`^server +${version}, sandbox`, 'm'))
  const alone = await runnerFor({})('version', '--json')
  assert.deepEqual([alone.code, JSON.parse(alone.out).server], [0, null])
})
