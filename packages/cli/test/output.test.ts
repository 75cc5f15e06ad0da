/** What commands show, against a real server: formats, filters, orders, columns, narrow terminals, watched objects. */
import assert from 'node:assert/strict'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { getFirewall } from '@bourse/api/network/firewalls.ts'
import { test } from 'vitest'
import { parse } from 'yaml'
import { makeMarket } from '../../server/test/support/fixtures/market.ts'
import { grantCredit } from '../../server/test/support/fixtures/money.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { watchObject } from '../src/commands/list-watch.ts'
import { monthOf } from '../src/input/periods.ts'
import { type GlobalOptions, openSession } from '../src/input/session.ts'
import { goToQuietDay } from './quiet-day.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const month = monthOf(await goToQuietDay(server))
const account = await server.account()
const variables = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: account.token }
const bourse = runnerFor(variables)
const onTerminal = (width: number) => runnerFor(variables, { width })

async function make(...names: string[]): Promise<void> {
  for (const name of names) {
    await server.call('create_firewall', { token: account.token, body: { name, tags: { team: name } } })
  }
}

await make('node-10', 'node-2', 'edge')
const market = await makeMarket(server)
const seller = await market.seller(2)
await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
await grantCredit(server, account.id, '12.000000')
const pool = (await server.call('create_pool', { token: account.token, body: { name: 'main' } })).id
const bought = await market.order({ id: account.id, token: account.token, workspace_id: '', pool }, { nodes: 1 })
const { alias } = await server.call('get_sku', { params: { id: market.sku }, ...account })

test('YAML is the JSON of the API, for a list, an object, and rows that are printed one by one', async () => {
  const list = await bourse('firewalls', 'list', '-o', 'yaml')
  assert.deepEqual(parse(list.out).data, (await server.call('list_firewalls', account)).data)
  const order = await bourse('orders', 'get', bought.id, '-o', 'yaml')
  assert.deepEqual(parse(order.out), await server.call('get_order', { params: { id: bought.id }, ...account }))
  assert.match(order.out, /^limit_price_dollars_per_node_hour: "\d+\.\d{6}"$/m)
  const failed = await bourse('firewalls', 'get', `frwl_${'0'.repeat(21)}`, '-o', 'yaml')
  assert.deepEqual([failed.code, failed.out, parse(failed.err).error.type], [4, '', 'not_found'])
  assert.equal((await bourse('firewalls', 'list', '-o', 'yaml', '--columns', 'name')).code, 2)
})

test('rows are filtered and sorted, in every format', async () => {
  const names = async (...words: string[]) => {
    const { code, out, err } = await bourse('firewalls', 'list', '--columns', 'name', '--no-header', ...words)
    assert.equal(code, 0, err)
    return out.trim().split('\n')
  }
  assert.deepEqual(await names('--filter', 'name~node', '--sort', 'name'), ['node-2', 'node-10'])
  assert.deepEqual(await names('--filter', 'name~node', '--sort', '-name', '-o', 'csv'), ['node-10', 'node-2'])
  assert.deepEqual(await names('--filter', 'tags.team=edge'), ['edge'])
  assert.deepEqual(await names('--filter', 'name!=edge', '--filter', 'is_default=false', '--sort', 'name'), [
    'node-2',
    'node-10',
  ])
  assert.deepEqual(await names('--filter', 'created_at>-1h', '--filter', 'name=edge'), ['edge'])
  const json = await bourse('firewalls', 'list', '--filter', 'name=edge', '--json')
  assert.deepEqual(
    JSON.parse(json.out).data.map(({ name }: { name: string }) => name),
    ['edge'],
  )
  const ids = await bourse('firewalls', 'list', '--filter', 'name=edge', '-o', 'id')
  assert.match(ids.out, /^frwl_\S+\n$/)
  const filled = await bourse('orders', 'list', '--filter', 'limit_price_dollars_per_node_hour<1', '-o', 'id')
  assert.equal(filled.out, '')
})

test('a filter says how many rows it has seen, and that others were not read', async () => {
  const none = await bourse('firewalls', 'list', '--filter', 'name=none', '--limit', '2')
  assert.deepEqual([none.code, none.out], [0, ''])
  assert.match(
    none.err,
    /^No row meets the filter\.\nmore: --starting-after frwlc_\S+\n--filter: 0 of 2 rows read; --all/,
  )
  const all = await bourse('firewalls', 'list', '--filter', 'name=edge', '--limit', '1', '--all')
  assert.match(all.out, /\bedge\b/)
  assert.match(all.err, /^--filter: 1 of \d+ rows read\n$/)
})

test('unknown columns and values are errors in every option, and nothing is printed', async () => {
  const cases: [words: string[], message: RegExp][] = [
    [['--columns', 'nmae'], /no column "nmae"[\s\S]*Did you mean name\?[\s\S]*Columns: .*is_default/],
    [['--columns', 'nmae', '--filter', 'name=none'], /no column "nmae"/],
    [['--sort', 'nmae'], /no column "nmae"[\s\S]*Did you mean name\?/],
    [['--filter', 'nmae=a'], /no column "nmae"/],
    [['--filter', 'is_default=maybe'], /"maybe" cannot be compared with is_default/],
    [['--filter', 'created_at>soon'], /"soon" is not a time/],
    [['--sort', 'tags'], /tags has no order/],
  ]
  for (const [words, message] of cases) {
    const { code, out, err } = await bourse('firewalls', 'list', ...words)
    assert.deepEqual([code, out], [2, ''], words.join(' '))
    assert.match(err, message)
  }
})

test('output that a command cannot have is refused before anything is sent, since a secret is shown once', async () => {
  const tokens = async () => (await server.call('list_tokens', account)).data.length
  const before = await tokens()
  const create = ['tokens', 'create', '--name', 'lost']
  const { code, out, err } = await bourse(...create, '--columns', 'id,tokne')
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /no column "tokne"[\s\S]*Did you mean token\?/)
  assert.equal(await tokens(), before)
  const link = await bourse('users', 'sign-in-link', 'user_none', '-o', 'id')
  assert.deepEqual([link.code, /neither id nor name/.test(link.err)], [2, true], link.err)
  // The format of a variable or of a profile is one as good as a flag.
  const byVariable = runnerFor({ ...variables, BOURSE_OUTPUT: 'yaml' })
  const made = await byVariable(...create)
  assert.equal(made.code, 0, made.err)
  assert.match(parse(made.out).token, /^ey/)
})

test('what the parser of the command line refuses is data where data is asked for, in every place', async () => {
  const cases: [words: string, message: string, hint: string][] = [
    ['firewalls list --limt -o json', "Unknown option '--limt'.", 'Did you mean --limit?'],
    ['firewalls creat --json', "Unknown command 'creat'.", 'Did you mean create?'],
    ['firewals -o jsonl', "Unknown command 'firewals'.", 'Did you mean firewalls?'],
    ['firewalls get --output=yaml', 'Missing <id>.', 'Example: bourse firewalls get '],
    ['firewalls list -ojson --limit', 'The value of --limit is missing.', 'See --help.'],
    ['firewalls -o json', 'A command is missing.', 'Usage: bourse firewalls'],
  ]
  for (const [words, message, hint] of cases) {
    const { code, out, err } = await bourse(...words.split(' '))
    assert.deepEqual([code, out, err.trim().split('\n').length], [2, '', 1], words)
    const { error } = JSON.parse(err)
    assert.deepEqual([error.type, error.message], ['UsageProblem', message], words)
    assert.ok(error.hints[0].startsWith(hint), err)
  }
  const byVariable = runnerFor({ ...variables, BOURSE_OUTPUT: 'json' })
  assert.match((await byVariable('firewalls', 'list', '--foo')).err, /^\{"error":/)
  const plain = await bourse('firewalls', 'list', '--foo')
  assert.match(plain.err, /^Error: Unknown option '--foo'\.\n {2}See --help\.\n$/)
  assert.match((await byVariable('firewalls', 'list', '--foo', '-o', 'table')).err, /^Error: Unknown option/)
})

test('the line at the end of a shortened list is a flag that continues it', async () => {
  const { out, err } = await bourse('firewalls', 'list', '--limit', '1', '--columns', 'name', '--no-header')
  const [, ...words] = err.trim().split(' ')
  assert.match(err, /^more: --starting-after frwlc_\S+\n$/)
  const rest = await bourse('firewalls', 'list', '--columns', 'name', '--no-header', ...words)
  const whole = await bourse('firewalls', 'list', '--columns', 'name', '--no-header')
  assert.equal(out + rest.out, whole.out)
})

test('a terminal has ages unless told otherwise, and other programs have times in UTC', async () => {
  const words = ['billing', 'transactions', '--columns', 'created_at,amount_dollars', '--no-header'] as const
  const shown = async (runner: typeof bourse, ...more: string[]) => (await runner(...words, ...more)).out.split('\n')[0]
  assert.match((await shown(onTerminal(80))) ?? '', /^(now|\d+ (s|min) ago) +-\$1\.20$/)
  assert.match((await shown(onTerminal(80), '--utc')) ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +-\$1\.20$/)
  assert.match(
    (await shown(onTerminal(80), '--local')) ?? '',
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d +-\$1\.20$/,
  )
  assert.match((await shown(onTerminal(80), '--exact')) ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ +-1\.200000$/)
  assert.match((await shown(bourse)) ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +-\$1\.20$/)
  assert.equal((await bourse(...words, '--utc', '--local')).code, 2)
})

test('a narrow terminal leaves columns out and names them, and then shows records', async () => {
  const narrow = await onTerminal(60)('orders', 'list')
  for (const line of narrow.out.split('\n')) assert.ok(line.length <= 60, line)
  assert.ok(narrow.out.includes(bought.id) && narrow.out.includes('$1.20'), narrow.out)
  assert.match(narrow.err, /^not shown, for lack of width: .*created_at/)
  const narrower = await onTerminal(30)('orders', 'list')
  assert.match(narrower.out, new RegExp(`^id +${bought.id}\\nside +buy\\nstate +filled\\n`))
  const asked = await onTerminal(60)(
    'orders',
    'list',
    '--columns',
    'id,created_at,sku,pool,limit_price_dollars_per_node_hour',
  )
  assert.match(asked.out, /^id +ordr_\S+\ncreated_at +.*\nsku +/)
})

test('a statement has its lines as a table, with the names of SKUs and workspaces', async () => {
  const shown = await bourse('billing', 'statement', month)
  assert.match(shown.out, new RegExp(`^lines\\n +SKU +WORKSPACE +PURCHASES.*\\n +${alias} +default +\\$1\\.20 `, 'm'))
  const exact = await bourse('billing', 'statement', month, '-o', 'csv')
  assert.match(exact.out, new RegExp(`^sku,workspace,purchases_dollars,.*\\n${market.sku},wksp_\\S+,1\\.200000,`))
  const operator = runnerFor({ ...variables, BOURSE_API_TOKEN: server.platform_token })
  const revenue = await operator('platform', 'revenue', '--from', month)
  assert.match(revenue.out, new RegExp(`^${month} +${alias} +\\$0\\.012 `, 'm'))
  const ids = await operator('platform', 'revenue', '--from', month, '--exact')
  assert.match(ids.out, new RegExp(`^${month} +${market.sku} +0\\.012000 `, 'm'))
})

/** Watches an object until the test ends it. `until` waits for a condition on what was printed. */
function watch(id: string, options: GlobalOptions, width?: number) {
  const printed: string[] = []
  let reads = 0
  let look = () => {}
  const print = (text: string) => {
    printed.push(text)
    look()
  }
  const terminal = {
    data: print,
    raw: (bytes: Uint8Array) => print(Buffer.from(bytes).toString()),
    note: print,
    ask: async () => undefined,
    width,
    dim: String,
    red: String,
    bidColour: String,
    askColour: String,
  }
  const ending = new AbortController()
  const session = openSession({ terminal, variables: { BOURSE_DATA_DIR: '/nonexistent', ...variables } }, options)
  const watched = watchObject(session, {
    endpoint: getFirewall as unknown as Endpoint,
    read: async () => {
      reads += 1
      look()
      return server.call('get_firewall', { params: { id }, ...account })
    },
    show: async (value) => print(`name ${value.name}`),
    signal: ending.signal,
  })
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      look = () => holds() && resolve()
      look()
    })
  const stop = async () => {
    ending.abort()
    await watched
  }
  return { printed, until, stop, reads: () => reads }
}

test('a watched object is printed when it has changed, and drawn again on a terminal', async () => {
  const [edge] = (await server.call('list_firewalls', account)).data
  const rename = (name: string) =>
    server.call('update_firewall', { params: { id: edge.id }, token: account.token, body: { name } })
  const lines = watch(edge.id, { json: true })
  // The second read finds the object as it was.
  await lines.until(() => lines.reads() >= 3)
  await rename('renamed')
  await lines.until(() => lines.printed.some((line) => line.includes('renamed')))
  await lines.stop()
  assert.deepEqual(
    lines.printed.map((line) => JSON.parse(line).name),
    [edge.name, 'renamed'],
  )
  const drawn = watch(edge.id, {}, 80)
  await drawn.until(() => drawn.printed.some((text) => text.startsWith('Read at')))
  await rename(edge.name)
  await drawn.until(() => drawn.printed.includes(`name ${edge.name}`))
  await drawn.stop()
  assert.deepEqual(drawn.printed.slice(0, 2), ['\x1b[H\x1b[2J', 'name renamed'])
})

test('--watch of an object that does not exist is an error, and every read of an object takes it', async () => {
  assert.equal((await bourse('firewalls', 'get', 'frwl_none', '--watch')).code, 4)
  const shown = await bourse('billing', 'balance', '--watch', '--curl')
  assert.match(shown.out, /^curl .*\/billing\/balance/)
})
