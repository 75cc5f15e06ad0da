/** Runs every example of every help against a sandbox: what a reader copies must work. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { mbrOf, qcow2Bytes, qcow2Of } from '../../api/test/image-fixtures.ts'
import { signedBundle } from '../../server/test/support/bundles.ts'
import { sshKeyLine } from '../../server/test/support/fixtures/ssh-keys.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { commandPlace, operations } from '../src/commands/operation-commands.ts'
import { createWholeProgram } from '../src/program.ts'
import { type Ran, runnerFor } from './run-here.ts'
import { type Example, examplesOf, leavesOf, wordsOf } from './shown-examples.ts'
import { silentTerminal } from './silent-terminal.ts'

/** Commands that a sandbox cannot run, with the reason. Their examples are parsed (operation-commands.test.ts). */
const notRun: Readonly<Record<string, string>> = {
  start: 'It runs until it is stopped: start.test.ts.',
  serve: 'It needs the settings of production: production.test.ts.',
  migrate: 'It needs the database of production: migrate.test.ts.',
  'backup create': 'It needs the database of production: backups.test.ts.',
  'backup list': 'It needs the backups of production: backups.test.ts.',
  'backup verify': 'It needs the backups of production: backups.test.ts.',
  'backup prune': 'It needs the backups of production: backup-problems.test.ts.',
  'backup archive-wal': 'PostgreSQL runs it: backups.test.ts.',
  'backup fetch-wal': 'PostgreSQL runs it: backup-problems.test.ts.',
  restore: 'It needs the backups of production: backups.test.ts.',
  doctor: 'It needs the data directory of the sandbox: doctor.test.ts.',
  'audit export': 'It needs the data directory of the sandbox: doctor.test.ts.',
  'audit verify': 'It needs the data directory of the sandbox: doctor.test.ts.',
  'agent enrol': 'It makes this machine a host: agent.test.ts.',
  'agent run': 'It makes this machine a host: agent.test.ts.',
  'agent check': 'It examines this machine: agent.test.ts.',
  'agent change-key': 'It changes a key of a host: agent.test.ts.',
  'agent update': 'It updates the agent of a host: packages/server/test/fleet/agent-updates.test.ts.',
  'keys create': 'It writes to /etc: production.test.ts.',
  'install production': 'It writes to /etc: install-production.test.ts.',
  'install systemd': 'It installs units on this machine: packages/operators.test.ts.',
  'keys rotate': 'It writes to /etc: production.test.ts.',
  'keys reencrypt': 'It needs a production installation: key-rotation.test.ts.',
  'events tail': 'It runs until it is stopped: fleet.test.ts.',
  'webhooks listen': 'It runs until it is stopped: webhooks.test.ts.',
  ssh: 'Simulated machines have no shell: agent.test.ts.',
  'users identities delete': 'A person comes from a provider: providers.test.ts.',
  'users passkeys rename': 'A browser adds a passkey: passkeys.test.ts.',
  'users passkeys delete': 'A browser adds a passkey: passkeys.test.ts.',
  'users recovery-codes': 'Only a person with a passkey has them: passkeys.test.ts.',
  'accounts sign-in-link': 'Only an account without an admin token needs one: sign-in-page.test.ts.',
  login: 'A person approves it in a browser: login.test.ts.',
  logout: 'It ends what login began: login.test.ts.',
  'pending-credits approve': 'A second operator does it: pending-credits.test.ts.',
  init: 'It writes the settings of the user: profiles.test.ts.',
  'profiles add': 'It reads a token from standard input: profiles.test.ts.',
  'profiles use': 'It changes the settings of the user: profiles.test.ts.',
  'profiles show': 'It shows the settings of the user: profiles.test.ts.',
  'profiles remove': 'It changes the settings of the user: profiles.test.ts.',
  'completion bash': 'A shell runs what it prints: completion.test.ts.',
  'completion zsh': 'A shell runs what it prints: completion.test.ts.',
  'completion fish': 'A shell runs what it prints: completion.test.ts.',
  'completion install': 'It writes the settings of the user: completion.test.ts.',
  'config show': 'It shows the settings of the user: profiles.test.ts.',
}

/** What only the operator of the platform may do. */
const operatorAreas = ['administration', 'hosts']
const operatorPaths = new Set([
  ...operations.filter(({ area }) => operatorAreas.includes(area)).map((endpoint) => pathOf(commandPlace(endpoint))),
  'sandbox add-hosts',
])

const requested = '!pending-credits create acme --type refund --amount 1.00 --description Asked'

/** What must be there before the examples of a command run. `!` runs as the operator. */
const before: Readonly<Record<string, readonly string[]>> = {
  'orders sell': ['orders buy h100-west --nodes 4 --for 3h --yes'],
  'orders amend': ['orders buy h100-west --from +1h --for 4h --price 1.40 --standing --yes'],
  'orders cancel': ['orders buy h100-west --from +1h --price 1.50 --standing --yes'],
  'pool-transfers create': [
    'pools create --name reserve --workspace research',
    'orders buy h100-west --nodes 1 --for 3h --pool main --yes',
  ],
  'instances create': ['orders buy h100-west --nodes 1 --for 2h --pool main --yes'],
  'hosts list': ['!sandbox add-hosts --sku h100-west --count 1'],
  'pools create-read-only': ['!sandbox add-hosts --sku h100-west --count 1', '!sandbox settle'],
  'hosts retire': [
    '!sandbox advance 2h',
    '!sandbox add-hosts --sku h100-west --count 1',
    '!hosts update host_… --name rack-8',
    '!sandbox fault host_silent --host rack-8',
    '!sandbox advance 2m',
    '!sandbox settle',
  ],
  'images publish-public': ['!sandbox add-image --name rocky-10'],
  'pending-credits get': [requested],
  'pending-credits refuse': [requested],
  'platform agent-rollouts create': [
    '!platform agent-bundles add agent.tgz --manifest @agent.json --signature @agent.json.sig',
  ],
  'platform agent-rollouts roll-back': ['!platform agent-rollouts create 1.4.0'],
  'image-parts create': ['images create --name trainer-6'],
}

/** The id of the newest resource that `…` stands for, by prefix: the command that prints it. */
const newest: Readonly<Record<string, string>> = {
  usr: 'users list -o id',
  grnt: 'grants list -o id',
  sshk: 'ssh-keys list -o id',
  tokn: 'tokens list -o id',
  whk: 'webhooks list -o id',
  wdlv: 'webhooks deliveries whk_… -o id',
  bdgt: 'billing budgets list -o id',
  ordr: 'orders list -o id',
  pxfr: 'pool-transfers list -o id',
  flt: 'sandbox faults -o id',
  mwin: '!maintenance-windows list -o id',
  host: '!hosts list -o id',
  pcrd: '!pending-credits list --state pending -o id',
  henr: '!host-enrolments list -o id',
  abdl: '!platform agent-bundles list -o id',
  arol: '!platform agent-rollouts list -o id',
  pool: '!pools list --kind originating -o id',
}

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
const { token } = world.accounts.find(({ id }) => id === 'acme')
const directory = await mkdtemp(join(tmpdir(), 'bourse-examples-'))
afterAll(() => rm(directory, { recursive: true, force: true }))
// A person answers the questions of commands that ask.
const person = { answer: true }
const asCustomer = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }, person)
const asOperator = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: server.platform_token }, person)

const part = Buffer.from('test')
const version = signedBundle({ version: '1.4.0' })
const files: Readonly<Record<string, Buffer | string>> = {
  'policy.json': '{"api_version":"roles/v1","rules":[{"effect":"allow","actions":{"instance":["read"]}}]}',
  'rules.json': '[{"protocol":"tcp","port_from":22,"source_cidr":"203.0.113.0/24"}]',
  'agent.tgz': Buffer.from(version.content, 'base64'),
  'agent.json': version.manifest,
  'agent.json.sig': version.signature,
  'id_ed25519.pub': `${sshKeyLine('example')}\n`,
  'yubikey.pub': `${sshKeyLine('another example')}\n`,
  'init.yaml': '#cloud-config\npackages: [htop]\n',
  'base.qcow2': Buffer.concat([qcow2Of()], qcow2Bytes),
  'disk.img': mbrOf(),
}
const written = ['january.parquet', 'ledger.csv', 'copy.qcow2']
for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
let runs = 0

function pathOf({ noun, verb }: { noun: string; verb: string }): string {
  return `${noun} ${verb}`
}

function runnerOf(path: string) {
  return operatorPaths.has(path) ? asOperator : asCustomer
}

/** The id for a placeholder: the first line that its command prints. */
async function idFor(prefix: string, path: string): Promise<string> {
  if (prefix === 'evtc')
    return JSON.parse((await asCustomer('events', 'list', '--oldest-first', '-o', 'json')).out).data[0].cursor
  const { out, err } = await runLine(newest[prefix] ?? '', path)
  const [id = ''] = out.split('\n')
  assert.match(id, new RegExp(`^${prefix}_`), `${path}: ${err}`)
  return id
}

/** Runs a line of a table above, or an example without `bourse`. */
async function runLine(line: string, path: string): Promise<Ran> {
  const run = line.startsWith('!') ? asOperator : runnerOf(path)
  const words = await Promise.all(wordsOf(line.replace('!', '')).map((word) => settle(word, path)))
  const running = run(...words)
  const isAwaited = words[0] === 'run' || words.some((word) => word === '--wait' || word === 'wait')
  if (!isAwaited) return running
  let hasEnded = false
  void running.finally(() => (hasEnded = true))
  // A plan is of a window that begins with the running minute.
  if (words[0] === 'run') await eventually('it ends or waits', async () => hasEnded || (await hasWaiting()))
  // Simulated machines start by the clock of the sandbox.
  for (let moves = 0; moves < 40; moves++) {
    const outcome = await Promise.race([running, server.advance(15).then(() => undefined)])
    if (outcome !== undefined) break
  }
  return running
}

async function hasWaiting(): Promise<boolean> {
  const { out } = await asCustomer('instances', 'list', '--state', 'awaiting_allocation', '-o', 'id')
  return out !== ''
}

async function settle(word: string, path: string): Promise<string> {
  // The accounts of a sandbox have no statement of a month before they were made.
  if (word === '2026-01' && path === 'billing statement') return thisMonth()
  const file = word.replace(/^@/, '')
  if (Object.hasOwn(files, file)) return word.replace(file, join(directory, file))
  if (written.includes(word)) return join(directory, `${runs++}-${word}`)
  const prefixes = [...word.matchAll(/([a-z]+)_…/g)].map(([, prefix = '']) => prefix)
  let text = word
  for (const prefix of prefixes) text = text.replace(`${prefix}_…`, await idFor(prefix, path))
  return text
}

async function thisMonth(): Promise<string> {
  const { server: clock } = await server.call('get_account')
  return new Date(clock.now * 1000).toISOString().slice(0, 7)
}

/** Creation comes before everything else of a noun, what ends or wipes comes last. */
function rankOf(path: string): number {
  const verb = path.split(' ').at(-1) ?? ''
  if (/^(reset|scenario)$/.test(verb)) return 4
  if (/^(delete|remove-fault)$/.test(verb)) return 3
  if (verb === 'terminate') return 2
  // Two automations of one pool exclude each other, so the next one is estimated before there is one.
  if (verb === 'estimate') return -1
  return /^(create|upload|buy|add-|fault$)/.test(verb) ? 0 : 1
}

const places = operations.map((endpoint) => pathOf(commandPlace(endpoint)))
const nouns = [...new Set([...places.map(nounOf), 'version', 'keys', 'run'])]

function nounOf(path: string): string {
  return path.split(' ').slice(0, -1).join(' ') || path
}

/** The order of the nouns in the contract, except that a sandbox is wiped last. */
function orderOf(path: string): [number, number, number] {
  const noun = nouns.indexOf(nounOf(path))
  return [rankOf(path) === 4 ? nouns.length : noun, rankOf(path), places.indexOf(path)]
}

function compare(a: string, b: string): number {
  const [left, right] = [orderOf(a), orderOf(b)]
  return left.map((value, index) => value - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}

const program = await createWholeProgram({ terminal: silentTerminal, variables: {} })
const leaves = leavesOf(program)
const shown = leaves.flatMap(([path, command]) => examplesOf(path, command))

test('what is not run exists, and has a reason', () => {
  const paths = leaves.map(([path]) => path)
  for (const path of [...Object.keys(notRun), ...Object.keys(before)]) assert.ok(paths.includes(path), path)
})

/** Examples of other commands that run until they are stopped: fleet.test.ts and list-watch.test.ts run them. */
const endless = / --(follow|watch)\b/
const runnable = shown.filter(({ path, line }) => !Object.hasOwn(notRun, path) && !endless.test(line))
const prepared = new Set<string>()
for (const example of runnable.toSorted((a, b) => compare(a.path, b.path))) {
  test(`\`${example.line}\` works`, () => follow(example))
}

async function follow({ path, line }: Example): Promise<void> {
  if (!prepared.has(path)) {
    prepared.add(path)
    for (const step of before[path] ?? []) {
      const { code, err } = await runLine(step, path)
      assert.equal(code, 0, `${step}\n${err}`)
    }
    if (path === 'images complete') await uploadPart()
  }
  const { code, err } = await runLine(line.replace(/^bourse /, ''), path)
  // 3: the command did what it was told, and nothing was traded.
  assert.ok(code === 0 || code === 3, `exit code ${code}\n${err}`)
  await server.settle()
}

/** Uploads the part of the image that the example completes: its checksum is that of `test`. */
async function uploadPart(): Promise<void> {
  const { out } = await asCustomer('image-parts', 'create', 'trainer-5', '--part-id', '1', '-o', 'json')
  const md5 = createHash('md5').update(part).digest('base64')
  const { status } = await fetch(JSON.parse(out).url, { method: 'PUT', body: part, headers: { 'content-md5': md5 } })
  assert.equal(status, 200)
}
