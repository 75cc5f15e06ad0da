/** The completion scripts in the shells themselves, which start the program as often as somebody presses the key. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runShell, shellVariables } from './setup-process.ts'

const server = await startTestServer()
const { token } = await server.account()
await server.call('create_pool', { token, body: { name: 'main' } })
// A busy machine may take longer than a person who types would wait.
const patient = { BOURSE_COMPLETION_TIMEOUT: '30s' }
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token, ...patient }

/** Why tests with a shell are left out, or false. Without it they fail where it is required. */
function skipWithout(shell: string): string | false {
  const isThere = spawnSync(shell, ['--version']).status === 0
  return isThere || process.env.BOURSE_REQUIRE_SHELLS === '1' ? false : `${shell} is not installed`
}

test('bash completes by the script, also after colons and equals signs, and evaluates nothing', async () => {
  const { directory, env } = shellVariables(connection)
  const complete = (line: string) => `
    COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}
    _bourse; printf '%s\\n' "\${COMPREPLY[@]}" | sort | tr '\\n' ' '; echo`
  const lines = [
    'bourse instan',
    'bourse bu',
    'bourse logs --fol',
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
    ['instance-templates instances', 'buy', '--follow', 'main', 'main', '', '', ''],
  )
  assert.throws(() => readFileSync(join(directory, 'hit')), /ENOENT/)
})

test('zsh completes by the script', leftOut(skipWithout('zsh')), async () => {
  const { directory, env } = shellVariables(connection)
  const script = `
    compdef() { :; }
    _describe() { local -a shown; shown=("\${(@P)3:-\${(@P)4}}"); eval 'print -l -- "\${'"\${@[-1]}"'[@]}"'; }
    _files() { print files; }
    source <(bourse completion zsh)
    words=(bourse orders create --pool ma); CURRENT=5; _bourse
    words=(bourse bu); CURRENT=2; _bourse
    words=(bourse logs --fol); CURRENT=3; _bourse
    words=(bourse images upload ''); CURRENT=4; _bourse
    words=(bourse pools get '$(touch hit)' ''); CURRENT=5; _bourse`
  const { code, out, err } = await runShell('zsh', ['-f', '-c', script], { cwd: directory, env })
  assert.equal(err, '')
  assert.match(out, /^main:pool_\S+\nbuy:Short for .*\n--follow:.*\nfiles\n$/)
  assert.ok(code === 0 || code === 1)
  assert.throws(() => readFileSync(join(directory, 'hit')), /ENOENT/)
})

test('fish completes by the script', leftOut(skipWithout('fish')), async () => {
  const { directory, env } = shellVariables(connection)
  const script = `
    bourse completion fish | source
    complete -C 'bourse orders create --pool ma'
    complete -C 'bourse instan'
    complete -C 'bourse bu'
    complete -C 'bourse logs --fol'`
  const { code, out } = await runShell('fish', ['--no-config', '-c', script], { cwd: directory, env })
  assert.equal(code, 0)
  assert.match(out, /^main\t\S+\ninstance-templates\t.*\ninstances\t.*\nbuy\t.*\n--follow\t.*\n$/)
})

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
