/** What commands say: the help of two words, empty lists, unknown words, what ended, the newest events first. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const { id: account, token } = await server.account()
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
const bourse = runnerFor(connection)
const platform = runnerFor({ ...connection, BOURSE_API_TOKEN: server.platform_token })

async function done(...words: string[]) {
  const ran = await bourse(...words)
  assert.equal(ran.code, 0, `${words.join(' ')}\n${ran.err}`)
  return ran
}

test('help takes the words of a command, and refuses those of none with the nearest name', async () => {
  const { out } = await done('help', 'orders', 'buy')
  assert.equal(out, (await done('orders', 'buy', '--help')).out)
  assert.equal(
    (await done('help', 'billing', 'budgets', 'create')).out.startsWith('Usage: bourse billing budgets create'),
    true,
  )
  assert.match((await done('help', 'ssh', 'trainer')).out, /^Usage: bourse ssh/)
  assert.match((await done('-o', 'json', 'help', 'orders')).out, /^Usage: bourse orders/)
  const wrong = await bourse('help', 'orders', 'byu')
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
  assert.match(wrong.err, /^Error: Unknown command 'byu'\.\n {2}Did you mean buy\?\n$/)
})

test('a verb without what it needs has an example, and a misspelled one is named', async () => {
  const buy = await bourse('buy')
  assert.deepEqual([buy.code, buy.out], [2, ''])
  assert.match(buy.err, /^Error: Missing <sku>\.\n {2}Example: bourse orders buy h100-west .+\n$/)
  assert.match((await bourse('logs')).err, /\n {2}Example: bourse instances logs .+\n$/)
  for (const [typed, meant] of [
    ['buuy', 'buy'],
    ['lgos', 'logs'],
    ['balanc', 'balance'],
  ] as const) {
    const { code, err } = await bourse(typed)
    assert.deepEqual([code, err.split('\n')[0]], [2, `Error: Unknown command '${typed}'.`])
    assert.match(err, new RegExp(`Did you mean .*\\b${meant}\\b`))
  }
})

test('--version prints the version, without a server', async () => {
  const { code, out } = await runnerFor({})('--version')
  assert.deepEqual([code, /^bourse \d+\.\d+\.\d+\n$/.test(out)], [0, true])
})

test('an empty list says what would be there, and the command that makes one', async () => {
  const { out, err } = await done('orders', 'list')
  assert.deepEqual(
    [out, err],
    ['', 'There are no orders yet. Place one: bourse orders buy h100-west --nodes 1 --for 2h\n'],
  )
  const narrowed = await done('orders', 'list', '--side', 'sell')
  assert.equal(narrowed.err, 'There are no orders that match. Without the filters there may be some.\n')
  assert.match((await done('billing', 'usage', '-o', 'table')).err, /^There are no rows of usage in this time yet/)
  assert.equal((await done('orders', 'list', '-o', 'json')).err, '')
})

test('an unknown filter is named with the nearest known one', async () => {
  const action = await done('events', 'list', '--action', 'instance.runing')
  assert.match(action.err, /^"instance\.runing" is not a known action\. Did you mean instance\.running\?\n/)
  const kind = await done('events', 'list', '--target-type', 'machines')
  assert.match(
    kind.err,
    /^"machines" is not a known kind of resource\. Known ones: instance, host, agent_rollout, order, /,
  )
  const state = await bourse('instances', 'list', '--state', 'runing')
  assert.equal(state.code, 8)
  assert.match(state.err, /"runing" is not a known value of state\. Did you mean running\?/)
  const never = await bourse('instances', 'wait', `inst_${'0'.repeat(21)}`, '--for', 'runing')
  assert.deepEqual([never.code, /Did you mean running\?/.test(never.err)], [2, true])
  assert.equal((await done('events', 'list', '--action', 'order.filled')).err.includes('not a known'), false)
})

test('what ends is reported in its own word', async () => {
  await platform('skus', 'create', '--alias', 'tiny', '--num-vcpus', '1')
  const retired = await platform('skus', 'retire', 'tiny', '--yes')
  assert.match(retired.err, /^Retired: sku_/)
  const frozen = await platform('accounts', 'freeze', account, '--yes')
  assert.deepEqual([frozen.code, frozen.err.startsWith(`Frozen: ${account}.`)], [0, true])
  assert.match((await platform('accounts', 'unfreeze', account)).err, /^No longer frozen/)
  // A server reads the account of a token again at most two seconds after the last time.
  await eventually('the account is no longer frozen', () => done('firewalls', 'create', '--name', 'old'))
  assert.match((await done('firewalls', 'delete', 'old', '--yes')).err, /^Deleted: svc:firewall:/)
})

test('usage and exports begin with this month, and prices with whole rows', async () => {
  const { now } = await server.call('get_clock')
  const usage = await done('billing', 'usage', '--curl')
  const { searchParams } = new URL(/'(http\S+)'/.exec(usage.out)?.[1] ?? '')
  const from = new Date(Number(searchParams.get('from')) * 1000)
  assert.deepEqual([from.getUTCDate(), from.getTime() % 86_400_000], [1, 0])
  assert.ok(Number(searchParams.get('to')) > now, searchParams.get('to') ?? 'none')
  await done('billing', 'usage', '--granularity', 'month', '-o', 'csv')
  assert.match((await done('billing', 'export', '--format', 'ledger_csv')).out, /^id,type/)
  assert.equal((await platform('platform', 'revenue')).code, 0)
  for (const interval of ['minute', 'hour', 'day']) {
    await done('book', 'prices', '--interval', interval, '--since', '-90m', '--until', '-1m')
  }
  const wrong = await bourse('billing', 'usage', '--from', 'soon')
  assert.deepEqual([wrong.code, /"soon" is not a time/.test(wrong.err)], [2, true])
})

test('events are listed newest first with names, and oldest first with cursors', async () => {
  const levels = ['partner', 'trusted', 'basic', 'partner', 'trusted']
  for (const level of levels) {
    await platform('accounts', 'set-trust-level', account, level)
    await server.advance(400)
  }
  await done('images', 'create', '--name', 'named')
  const rows = async (...words: string[]) =>
    (await done('events', 'list', '-o', 'jsonl', ...words)).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const oldest = await rows('--oldest-first', '--all')
  const newest = await rows('--all')
  assert.deepEqual(
    newest.map(({ id }) => id),
    oldest.map(({ id }) => id).toReversed(),
  )
  assert.ok(oldest.length >= levels.length)
  const two = JSON.parse((await done('events', 'list', '--limit', '2', '-o', 'json')).out)
  assert.deepEqual(
    [two.has_more, two.data.map(({ id }: { id: string }) => id)],
    [true, newest.slice(0, 2).map(({ id }) => id)],
  )
  // A cursor of a list that was read in windows would be refused.
  assert.ok(newest.every(({ cursor }) => cursor === undefined))
  const [first] = oldest
  const rest = await rows('--starting-after', first.cursor, '--all')
  assert.deepEqual(
    rest.map(({ id }) => id),
    oldest.slice(1).map(({ id }) => id),
  )
  const [, , third] = newest
  const until = await rows('--until', String(third.occurred_at), '--limit', '1')
  assert.equal(until[0].id, third.id)
  const since = await rows('--since', String(third.occurred_at))
  assert.deepEqual(
    since.map(({ id }) => id),
    newest.slice(0, 3).map(({ id }) => id),
  )
})

test('an event in a table names what it is about', async () => {
  const { id } = JSON.parse((await done('sandbox', 'add-image', '--name', 'shown', '--json')).out)
  await done('images', 'revoke', 'shown', '--yes')
  await done('images', 'reinstate', 'shown')
  const { out } = await done('events', 'list', '--target-type', 'image')
  const row = (action: string) => `.* image\\.${action} +shown +admin +evt_\\S+\\n`
  assert.match(out, new RegExp(`^OCCURRED AT +ACTION +TARGETS +ACTOR +ID\n${row('reinstated')}${row('revoked')}`))
  const ids = await done('events', 'list', '--target-type', 'image', '--ids')
  assert.match(ids.out, new RegExp(`image\\.revoked +image:${id} +token:tokn_\\S+ +evt_`))
  const plain = await done('events', 'list', '--oldest-first', '--target-type', 'image', '--limit', '1')
  assert.match(plain.out, new RegExp(row('revoked')))
  assert.match(plain.err, /--starting-after evtc_/)
})

test('names says what ids of any kind are called', async () => {
  const pool = JSON.parse((await done('pools', 'create', '--name', 'shown', '--json')).out).id
  const { token: own } = JSON.parse((await done('account', 'get', '--json')).out)
  const { out } = await done('names', pool, own.id, `pool_${'0'.repeat(21)}`)
  assert.match(out, new RegExp(`^ID +TYPE +NAME\n(?=[^]*${pool} +pool +shown\n)(?=[^]*${own.id} +token +admin\n)`))
  assert.equal(out.trim().split('\n').length, 3)
  assert.equal((await done('names', 'list', '--ids', pool, own.id, '-o', 'id')).out.trim().split('\n').length, 2)
  assert.match((await done('names')).err, /^There are no names for these ids/)
})

test('a table shows the names of all its ids after one request, and ids where they are asked for', async () => {
  await done('pools', 'create', '--name', 'listed')
  await done('firewalls', 'create', '--name', 'gate')
  const columns = ['--columns', 'operation,targets', '--debug']
  const requests = (err: string) => err.match(/GET \S*\/names\?/g)?.length ?? 0
  const named = await done('audit', 'list', ...columns)
  assert.match(named.out, /create_firewall +gate\n(.*\n)*create_pool +listed\n/)
  assert.equal(requests(named.err), 1)
  const ids = await done('audit', 'list', ...columns, '--ids')
  assert.match(ids.out, /create_firewall +firewall:\S+\n/)
  assert.equal(requests(ids.err), 0)
  const { data } = JSON.parse((await done('audit', 'list', '--json')).out)
  assert.ok(data.some(({ targets }: any) => targets.some(({ id }: any) => id.startsWith('pool_'))))
  const events = await done('events', 'list', '--debug')
  assert.equal(requests(events.err), 1)
})
