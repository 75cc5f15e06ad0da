import { type FileAddress, fileAddress, isTypeScript } from './house.ts'
import { dotted, type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

/** An impure construct. `homes`: the files that may use it; `instead`: what other files use. */
type Ban = { what: string; matches: (node: Node) => boolean; homes: RegExp; instead: string }

export const callRules: readonly Rule[] = [
  bannedCalls,
  bannedModules,
  pureRules,
  routesWithoutLogic,
  testsWithoutSleep,
  callsByName,
  hooksOfTheirFile,
  blindCast,
]

const randomness = /^packages\/(server\/src\/core\/base\/random|sdk\/src\/transport|agent\/src\/identity)\.ts$/
const clock = /^packages\/server\/src\/core\/base\/clock\.ts$/

const sdkTiming = /^packages\/sdk\/src\/timing\.ts$/
const agentClock = /^packages\/agent\/src\/clock\.ts$/
const pauses = /^packages\/text\/src\/time\/pause\.ts$/

/** The outermost programs. They may use impure constructs anywhere, because the simulation does not run them. */
const outermost = /^packages\/(cli|console)\/src\/|^packages\/agent\/src\/main\.ts$|^scripts\//

const bans: readonly Ban[] = [
  {
    what: 'Date.now()',
    matches: (node) => calls(node, 'Date.now'),
    homes: either(clock, sdkTiming, agentClock, outermost),
    instead: 'take ctx.now, or core/base/clock.ts outside of a command',
  },
  {
    what: 'new Date()',
    matches: (node) => node.type === 'NewExpression' && dotted(node.callee) === 'Date' && isEmpty(node.arguments),
    homes: either(clock, agentClock, outermost),
    instead: 'take ctx.now, or core/base/clock.ts outside of a command',
  },
  {
    what: 'Math.random()',
    matches: (node) => calls(node, 'Math.random'),
    homes: /^$/,
    instead: 'take ctx.random, or core/base/random.ts with a seed',
  },
  {
    what: 'a timer',
    matches: (node) => calls(node, 'setTimeout', 'setInterval', 'setImmediate'),
    homes: either(clock, sdkTiming, agentClock, pauses, outermost),
    instead: 'write a due time, or use core/base/clock.ts or pause() of packages/text for waits shorter than an hour',
  },
  {
    what: 'process.env',
    matches: (node) => node.type === 'MemberExpression' && dotted(node) === 'process.env',
    homes: either(/^packages\/server\/src\/(core\/)?config\.ts$/, outermost),
    instead: 'read it in config.ts and pass the value in',
  },
  {
    what: 'fetch()',
    matches: (node) => calls(node, 'fetch', 'globalThis.fetch'),
    homes: either(
      /^packages\/(sdk\/src\/transport|agent\/src\/(server-calls|images)|server\/src\/core\/blobs\/digest)\.ts$/,
      outermost,
    ),
    instead: 'the server sends requests only to its image store; clients use packages/sdk',
  },
  {
    what: 'console',
    matches: (node) => node.type === 'MemberExpression' && /^console\.\w+$/.test(dotted(node) ?? ''),
    homes: either(/^packages\/server\/src\/core\/base\/log\.ts$/, outermost),
    instead: 'use core/base/log.ts, or throw',
  },
]

/** Impure modules of Node: timers and randomness that need no global. */
const moduleBans: readonly { specifier: string; names?: RegExp; homes: RegExp; instead: string }[] = [
  {
    specifier: 'node:timers/promises',
    homes: outermost,
    instead: 'use pause() or waitFor() of packages/text/src/time/pause.ts',
  },
  {
    specifier: 'node:crypto',
    names: /^random/,
    homes: either(randomness, outermost),
    instead: 'take ctx.random, or core/base/random.ts outside of a command',
  },
]

export function bannedCalls(repository: Repository): Finding[] {
  return programs(repository).flatMap((file) =>
    bans
      .filter(({ homes }) => !homes.test(file.path))
      .flatMap(({ what, matches, instead }) =>
        file.nodes.filter(matches).map((node) => at(file, node, `${what} is not allowed here: ${instead}`)),
      ),
  )
}

export function bannedModules(repository: Repository): Finding[] {
  return programs(repository).flatMap((file) =>
    file.imports.flatMap(({ specifier, names, line }) => {
      const ban = moduleBans.find((one) => one.specifier === specifier && !one.homes.test(file.path))
      if (ban === undefined || (ban.names && !names.some((name) => ban.names?.test(name)))) return []
      return [{ path: file.path, line, message: `${specifier} is not allowed here: ${ban.instead}` }]
    }),
  )
}

/** Rules are pure functions of values: no await, no transaction, no clock. */
export function pureRules(repository: Repository): Finding[] {
  return inRole(repository, 'rules').flatMap((file) => {
    const waits = file.nodes.filter((node) => node.type === 'AwaitExpression' || node.async === true)
    const contexts = file.nodes.filter(
      (node) => node.type === 'Identifier' && (node.name === 'ctx' || node.name === 'Ctx'),
    )
    return [
      ...waits.map((node) => at(file, node, 'a rule does not wait: let the service load the values and pass them in')),
      ...contexts.map((node) => at(file, node, 'a rule gets no ctx: pass the values that it needs')),
    ]
  })
}

const logic = new Set([
  'IfStatement',
  'SwitchStatement',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'TryStatement',
  'ConditionalExpression',
  'FunctionDeclaration',
])

/** Routes only bind endpoints to functions. */
export function routesWithoutLogic(repository: Repository): Finding[] {
  return inRole(repository, 'routes').flatMap((file) =>
    file.nodes
      .filter((node) => logic.has(node.type))
      .map((node) =>
        at(file, node, 'a route only binds an endpoint to a service function: move this into the service'),
      ),
  )
}

/** Tests wait for a condition, not for time to pass. */
export function testsWithoutSleep(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => fileAddress(path).isTest && path !== 'test/eventually.ts')
    .flatMap((file) => {
      const timers = file.nodes.filter((node) => calls(node, 'setTimeout', 'setInterval', 'Math.random'))
      const modules = file.imports.filter(({ specifier }) => specifier === 'node:timers/promises')
      const message =
        'a test may not sleep or use randomness: wait with eventually() of test/eventually.ts, use fast-check'
      return [
        ...timers.map((node) => at(file, node, message)),
        ...modules.map(({ line }) => ({ path: file.path, line, message })),
      ]
    })
}

/** A test calls an operation by its name, which the contract types, and not by a URL in its text. */
export function callsByName(repository: Repository): Finding[] {
  const message = "call an operation by its name: call('get_order', { params: { id } }), which the contract types"
  return repository.files
    .filter(({ path }) => fileAddress(path).isTest)
    .flatMap((file) => file.nodes.filter((node) => sendsToText(node)).map((node) => at(file, node, message)))
}

function sendsToText({ type, callee, arguments: given }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || !isNode(callee.property)) return false
  const [method, path] = given as Node[]
  if (callee.property.name !== 'ok' || !isNode(method) || !isNode(path)) return false
  const first =
    path.type === 'TemplateLiteral' ? (path.quasis as { value: { raw: string } }[])[0]?.value.raw : path.value
  return (
    method.type === 'Literal' && /^(GET|POST|PUT|PATCH|DELETE)$/.test(`${method.value}`) && `${first}`.startsWith('/')
  )
}

const hooks = ['beforeAll', 'afterAll', 'beforeEach', 'afterEach', 'onTestFinished', 'atEnd']

/**
 * A module of test support registers no hook at import. Test files share a process and load the module once, so the
 * hook would run for the first file only.
 */
export function hooksOfTheirFile(repository: Repository): Finding[] {
  const message = 'a hook in a module of test support runs for the first file that loads it: register it in a function'
  return repository.files
    .filter(({ path }) => path !== 'test/setup/each-file.ts')
    .filter(({ path, imports }) => !fileAddress(path).isTest && imports.some(({ specifier }) => specifier === 'vitest'))
    .flatMap((file) =>
      statementsOf(file)
        .filter((node) => isNode(node.expression) && calls(node.expression, ...hooks))
        .map((node) => at(file, node, message)),
    )
}

/** The casts by way of `unknown` that stay, by their files, because no type says what the program knows. */
const blindCasts: ReadonlyMap<string, string> = new Map([
  ['packages/agent/src/drivers/qemu/process.ts', 'the descriptor of a listening socket is on a handle without a type'],
  ['packages/cli/src/input/client-nouns.ts', 'which noun of the client it is, only text says'],
  ['packages/sdk/src/plain-client.ts', 'it is made in a loop over the operations of which its type is generated'],
])

/** A cast to never or by way of unknown, which ends what the compiler knows. */
export function blindCast(repository: Repository): Finding[] {
  const files = repository.files.filter(({ path }) => path.startsWith('packages/') && path.includes('/src/'))
  return files
    .filter(({ path }) => !fileAddress(path).isTest)
    .flatMap((file) =>
      file.nodes.flatMap((node) => {
        if (castsTo(node, 'TSNeverKeyword')) {
          return at(file, node, 'a cast to never hides what the types know: say the type, or take a parameter for it')
        }
        const isBlind = isNode(node.expression) && node.type === 'TSAsExpression'
        if (!isBlind || !castsTo(node.expression as Node, 'TSUnknownKeyword') || blindCasts.has(file.path)) return []
        return at(
          file,
          node,
          'a cast by way of unknown: cast once, narrow with a check, or correct the type at its source',
        )
      }),
    )
}

function castsTo({ type, typeAnnotation }: Node, keyword: string): boolean {
  return type === 'TSAsExpression' && isNode(typeAnnotation) && typeAnnotation.type === keyword
}

/** The top-level statements of a file. */
function statementsOf(file: Source): Node[] {
  const program = file.nodes.find(({ type }) => type === 'Program')
  return (program?.body ?? []) as Node[]
}

/** The code of the programs, without tests and test support. */
function programs(repository: Repository): Source[] {
  return repository.files.filter((file) => {
    const place = fileAddress(file.path)
    return isTypeScript(file.path) && !place.isTest && (place.side === 'src' || place.home === 'scripts')
  })
}

function inRole(repository: Repository, role: FileAddress['role']): Source[] {
  return repository.files.filter((file) => fileAddress(file.path).role === role)
}

function calls(node: Node, ...names: readonly string[]): boolean {
  return node.type === 'CallExpression' && isNode(node.callee) && names.includes(dotted(node.callee) ?? '')
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

function at(file: Source, node: Node, message: string): Finding {
  return { path: file.path, line: file.lineOf(node.start), message }
}
