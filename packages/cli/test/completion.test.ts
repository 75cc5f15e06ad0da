import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { leftOut } from '../../../test/left-out.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { wordsOf } from '../src/commands/setup/completion-scripts.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'
import { runShell } from './setup-process.ts'

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
const { token } = world.accounts.find(({ id }) => id === 'acme')
// A busy machine may take longer than a person who types would wait.
const patient = { BOURSE_COMPLETION_TIMEOUT: '30s' }
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token, ...patient }
const bourse = runnerFor(connection)
const program = join(import.meta.dirname, '../bin/bourse.mjs')

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
  assert.deepEqual(
    await following(['inst']),
    ['instance-templates', 'instances'].filter((name) => name.startsWith('inst')),
  )
  assert.ok((await following([''])).includes('pools'))
  assert.deepEqual(await following(['instances', 'rep']), ['replace'])
  assert.deepEqual(await following(['billing', 'budgets', 'cr']), ['create'])
  assert.deepEqual(await following(['--base-url', server.url, '--json', 'pools', 'ge']), ['get'])
  const flags = await following(['deployments', 'create', '--max'])
  assert.deepEqual(flags, ['--max-buy-price'])
  assert.ok((await following(['skus', 'list', '--'])).includes('--profile'))
  assert.deepEqual(await following(['nonsense', '']), [])
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

/** The shell variables of these tests, with the program as `bourse` on the path. */
function shellVariables(): { directory: string; env: Record<string, string> } {
  const directory = newDirectory()
  const path = join(directory, 'bourse')
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  const env = {
    ...connection,
    PATH: `${directory}:${process.env.PATH}`,
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, '.config'),
  }
  return { directory, env }
}

/** The option `skip` of tests with a shell: they run wherever it is, and fail where it is required and missing. */
function skipWithout(shell: string): string | false {
  const isThere = spawnSync(shell, ['--version']).status === 0
  return isThere || process.env.BOURSE_REQUIRE_SHELLS === '1' ? false : `${shell} is not installed`
}

test('bash completes by the script, also after colons and equals signs, and evaluates nothing', async () => {
  const { directory, env } = shellVariables()
  const complete = (line: string) => `
    COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}
    _bourse; printf '%s\\n' "\${COMPREPLY[@]}" | sort | tr '\\n' ' '; echo`
  const lines = [
    'bourse inst',
    'bourse orders create --pool=ma',
    'bourse orders create --pool ma',
    'bourse pools get $(touch hit) ',
    'bourse pools get "$(touch hit)',
  ]
  const script = `source <(bourse completion bash)\nsource <(bourse completion bash)\n${lines.map(complete).join('\n')}`
  const { code, out, err } = await runShell('bash', ['--norc', '-c', script], { cwd: directory, env })
  assert.deepEqual([code, err], [0, ''])
  assert.deepEqual(
    out.split('\n').map((line) => line.trim()),
    ['instance-templates instances', 'main', 'main', '', '', ''],
  )
  assert.throws(() => readFileSync(join(directory, 'hit')), /ENOENT/)
})

test('zsh completes by the script', leftOut(skipWithout('zsh')), async () => {
  const { directory, env } = shellVariables()
  const script = `
    compdef() { :; }
    _describe() { local -a shown; shown=("\${(@P)3:-\${(@P)4}}"); eval 'print -l -- "\${'"\${@[-1]}"'[@]}"'; }
    _files() { print files; }
    source <(bourse completion zsh)
    words=(bourse orders create --pool ma); CURRENT=5; _bourse
    words=(bourse images upload ''); CURRENT=4; _bourse
    words=(bourse pools get '$(touch hit)' ''); CURRENT=5; _bourse`
  const { code, out, err } = await runShell('zsh', ['-f', '-c', script], { cwd: directory, env })
  assert.equal(err, '')
  assert.match(out, /^main:pool_\S+\nfiles\n$/)
  assert.ok(code === 0 || code === 1)
  assert.throws(() => readFileSync(join(directory, 'hit')), /ENOENT/)
})

test('fish completes by the script', leftOut(skipWithout('fish')), async () => {
  const { directory, env } = shellVariables()
  const script = `
    bourse completion fish | source
    complete -C 'bourse orders create --pool ma'
    complete -C 'bourse inst'`
  const { code, out } = await runShell('fish', ['--no-config', '-c', script], { cwd: directory, env })
  assert.equal(code, 0)
  assert.match(out, /^main\t\S+\ninstance-templates\t.*\ninstances\t.*\n$/)
})

test('the script is installed where the shell finds it', async () => {
  const { directory, env } = shellVariables()
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
  const { env } = shellVariables()
  assert.match((await runnerFor(env)('completion', 'bash')).out, /< <\(bourse completion suggest/)
})

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
