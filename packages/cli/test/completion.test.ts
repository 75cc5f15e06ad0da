import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { wordsOf } from '../src/commands/setup/completion-scripts.ts'
import { runnerFor } from './run-here.ts'
import { shellVariables } from './setup-process.ts'

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
const { token } = world.accounts.find(({ id }) => id === 'acme')
// A busy machine may take longer than a person who types would wait.
const patient = { BOURSE_COMPLETION_TIMEOUT: '30s' }
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token, ...patient }
const bourse = runnerFor(connection)

/** The values that may follow the words. */
async function following(words: readonly string[], variables: Record<string, string> = connection): Promise<string[]> {
  const { code, out, err } = await runnerFor(variables)('completion', 'suggest', '--', ...words)
  assert.deepEqual([code, err], [0, ''])
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] as string)
}

test('commands, subcommands and flags follow their words', async () => {
  assert.deepEqual(await following(['inst']), ['install', 'instance-templates', 'instances'])
  assert.ok((await following([''])).includes('pools'))
  assert.deepEqual(await following(['instances', 'rep']), ['replace'])
  assert.deepEqual(await following(['billing', 'budgets', 'cr']), ['create'])
  assert.deepEqual(await following(['--base-url', server.url, '--json', 'pools', 'ge']), ['get'])
  const flags = await following(['deployments', 'create', '--max'])
  assert.deepEqual(flags, ['--max-buy-price'])
  assert.ok((await following(['skus', 'list', '--'])).includes('--profile'))
  assert.deepEqual(await following(['nonsense', '']), [])
})

test('verbs follow like commands, and what follows a verb is what follows the command that it means', async () => {
  assert.deepEqual(await following(['bu']), ['buy'])
  assert.deepEqual((await following([''])).filter((word) => ['buy', 'logs', 'run', 'tail'].includes(word)).toSorted(), [
    'buy',
    'logs',
    'run',
    'tail',
  ])
  assert.deepEqual(await following(['buy', 'h100-w']), ['h100-west'])
  assert.deepEqual(
    await following(['-o', 'json', 'buy', 'h100-west', '--no']),
    await following(['orders', 'buy', 'h100-west', '--no']),
  )
  assert.ok((await following(['buy', 'h100-west', '--no'])).includes('--nodes'))
  assert.ok((await following(['logs', 'note'])).includes('notebook'))
  assert.deepEqual(await following(['run', 'h100-w']), ['h100-west'])
  assert.deepEqual(await following(['help', 'bu']), ['buy'])
  assert.deepEqual(await following(['help', 'orders', 'se']), ['sell'])
})

test('values of flags and arguments follow: words of the contract, names of the server, files', async () => {
  assert.deepEqual(await following(['orders', 'create', '--side', '']), ['buy', 'sell'])
  assert.deepEqual(await following(['instances', 'list', '--state', 'runn']), ['running'])
  assert.deepEqual(await following(['skus', 'list', '-o', 'js']), ['json', 'jsonl'])
  const pools = await following(['orders', 'create', '--pool', ''])
  assert.ok(pools.includes('main') && pools.includes('research/lab'), String(pools))
  assert.deepEqual(await following(['orders', 'create', '--pool=ma']), ['--pool=main'])
  assert.deepEqual(await following(['orders', 'buy', 'h100-w']), ['h100-west'])
  assert.ok((await following(['instances', 'get', 'note'])).includes('notebook'))
  assert.ok((await following(['ssh', 'note'])).includes('notebook'))
  assert.ok((await following(['images', 'get', ''])).includes('trainer-2'))
  assert.deepEqual(await following(['instances', 'get', 'notebook', '']), [])
  assert.deepEqual(await following(['images', 'upload', '']), [':files'])
})

test('without a server, a token or an answer in time there are no names and no messages', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  atEnd(() => silent.close())
  const late = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const words = ['pools', 'get', '']
  assert.deepEqual(await following(words, {}), [])
  assert.deepEqual(await following(words, { ...connection, BOURSE_API_TOKEN: 'a' }), [])
  assert.deepEqual(await following(words, { ...connection, BOURSE_BASE_URL: 'http://127.0.0.1:1' }), [])
  assert.deepEqual(await following(words, { ...connection, BOURSE_BASE_URL: late, BOURSE_COMPLETION_TIMEOUT: '' }), [])
  silent.closeAllConnections()
})

test('a line is divided as a shell does, and nothing in it is expanded', () => {
  const cases: [line: string, words: string[]][] = [
    ['bourse pools ', ['bourse', 'pools', '']],
    ['bourse pools get ma', ['bourse', 'pools', 'get', 'ma']],
    [`bourse a 'b c' "d \\" e" f\\ g`, ['bourse', 'a', 'b c', 'd " e', 'f g']],
    ['bourse "unfinished wo', ['bourse', 'unfinished wo']],
    ['bourse $(touch x) `y`', ['bourse', '$(touch', 'x)', '`y`']],
    ['', ['']],
  ]
  for (const [line, words] of cases) assert.deepEqual(wordsOf(line), words, line)
})

test('the script is installed where the shell finds it', async () => {
  const { directory, env } = shellVariables(connection)
  const run = runnerFor(env)
  const bash = await run('completion', 'install', 'bash')
  assert.deepEqual([bash.code, /bash-completion/.test(bash.err)], [0, true])
  const script = readFileSync(join(directory, '.local/share/bash-completion/completions/bourse'), 'utf8')
  assert.match(script, /complete -F _bourse bourse/)
  assert.equal((await runnerFor({ ...env, SHELL: '/usr/bin/fish' })('completion', 'install')).code, 0)
  assert.ok(readFileSync(join(directory, '.config/fish/completions/bourse.fish'), 'utf8').includes('__bourse_suggest'))
  assert.equal((await run('completion', 'install', 'zsh')).code, 0)
  const other = await runnerFor({ ...env, SHELL: '/bin/tcsh' })('completion', 'install')
  assert.deepEqual([other.code, /bash, zsh, fish/.test(other.err)], [2, true])
  assert.equal((await runnerFor({ HOME: '/dev/null' })('completion', 'install', 'bash')).code, 77)
})

test('the printed script starts the program by its paths where the shell does not find its name', async () => {
  const { out } = await bourse('completion', 'bash')
  assert.match(out, new RegExp(`'${process.execPath}' '`))
  const { env } = shellVariables(connection)
  assert.match((await runnerFor(env)('completion', 'bash')).out, /< <\(bourse completion suggest/)
})
