/** How tests wait: in one way, without a time limit of their own, and without asserting how long something took. */
import { collect, dotted, type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

export const waitRules: readonly Rule[] = [oneWayToWait, noOwnDeadlines, noAssertedDurations, noSilentCatch]

const ofTests = /\.test\.tsx?$|^packages\/[a-z]+\/test\/|^test\//
/** The one way, the tests that measure time, which run alone, and those of waiting. */
const exempt = /^test\/(eventually|machine-factor)\.ts$|^packages\/([a-z]+\/test\/quiet\/|text\/src\/time\/pause\.test)/
const clocks = ['Date.now', 'performance.now', 'monotonicMilliseconds', 'process.hrtime.bigint']
const waits = ['waitFor', 'pause', 'setImmediate', 'nextTurn']
const instead = 'wait with eventually() of test/eventually.ts'

/** No loop that only waits, and no other function for it. */
export function oneWayToWait(repository: Repository): Finding[] {
  return tests(repository).flatMap((file) => [
    ...file.imports
      .filter(({ names, specifier }) => names.includes('waitFor') && /\/pause\.ts$/.test(specifier))
      .map(({ line }) => ({ path: file.path, line, message: `waitFor() returns undefined at its limit: ${instead}` })),
    ...file.nodes
      .filter((node) => isLoop(node) && waitsOnly(node))
      .map((node) => at(file, node, `this loop has no end where the condition never holds: ${instead}`)),
  ])
}

/** No comparison with the time of the machine. */
export function noOwnDeadlines(repository: Repository): Finding[] {
  const message = `a test has no deadline of its own, which a slow machine misses: ${instead}, or move the clock`
  return tests(repository).flatMap((file) =>
    file.nodes.filter((node) => isComparison(node) && callsClock(node)).map((node) => at(file, node, message)),
  )
}

/** No assertion about milliseconds or seconds that passed. */
export function noAssertedDurations(repository: Repository): Finding[] {
  const message =
    'npm test asserts no duration: measure it in npm run bench, move the clock, or put the test into quiet/'
  return tests(repository).flatMap((file) =>
    file.nodes
      .filter((node) => node.type === 'CallExpression' && /^assert(\.|$)/.test(dotted(node.callee) ?? ''))
      .filter((node) => below(node.arguments).some((one) => isComparison(one) && namesDuration(one)))
      .map((node) => at(file, node, message)),
  )
}

/** No empty catch clause: it hides what a test is there to find. */
export function noSilentCatch(repository: Repository): Finding[] {
  const message = 'an empty catch hides errors: assert which error it is, or let it fail'
  return tests(repository).flatMap((file) =>
    file.nodes
      .filter((node) => node.type === 'CatchClause' && isNode(node.body) && below(node.body).length === 1)
      .map((node) => at(file, node, message)),
  )
}

function tests({ files }: Repository): readonly Source[] {
  return files.filter(({ path }) => ofTests.test(path) && !exempt.test(path))
}

function isLoop({ type, test, update }: Node): boolean {
  return type === 'WhileStatement' || type === 'DoWhileStatement' || (type === 'ForStatement' && !test && !update)
}

/** Whether the body of a loop does nothing but wait: it is empty behind an awaited condition, or a pause. */
function waitsOnly({ test, body }: Node): boolean {
  if (!isNode(body)) return false
  const isEmpty = body.type === 'EmptyStatement' || (body.type === 'BlockStatement' && below(body).length === 1)
  if (isEmpty) return below(test).some(({ type }) => type === 'AwaitExpression')
  if (body.type !== 'ExpressionStatement' || !isNode(body.expression)) return false
  const { expression } = body
  if (expression.type !== 'AwaitExpression') return false
  return below(expression).some((one) => one.type === 'Identifier' && waits.includes(one.name as string))
}

function isComparison({ type, operator }: Node): boolean {
  return type === 'BinaryExpression' && ['<', '>', '<=', '>='].includes(operator as string)
}

function callsClock(node: Node): boolean {
  return below(node).some((one) => one.type === 'CallExpression' && clocks.includes(dotted(one.callee) ?? ''))
}

/** Whether one side is named like a duration and the other is a number. */
function namesDuration({ left, right }: Node): boolean {
  const sides = [below(left), below(right)]
  const isNumber = sides.some(([first]) => first?.type === 'Literal' && typeof first.value === 'number')
  const name = /^(took|elapsed|duration|passed_ms)$|(m|M)illiseconds$|(_|\b)ms$|^seconds$/
  return isNumber && sides.some((side) => side.some((one) => one.type === 'Identifier' && name.test(String(one.name))))
}

function below(value: unknown): Node[] {
  const found: Node[] = []
  collect(value, found)
  return found
}

function at(file: Source, node: Node, message: string): Finding {
  return { path: file.path, line: file.lineOf(node.start), message }
}
