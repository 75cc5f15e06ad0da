/**
 * Mutators beside those of StrykerJS, which leaves out whole blocks, but no call or assignment, and changes
 * comparisons, but neither `isOpen ? a : b` nor `isOpen && a`.
 */

/** The parts of Babel's tree of a source file that are used. */
type BabelNode = {
  readonly type: string
  readonly name?: string
  readonly operator?: string
  readonly expression?: BabelNode
  readonly argument?: BabelNode
  readonly callee?: BabelNode
  readonly object?: BabelNode
  readonly property?: BabelNode
  readonly elements?: readonly (BabelNode | null)[]
  readonly left?: BabelNode
  readonly right?: BabelNode
  readonly test?: BabelNode
  readonly consequent?: BabelNode
  readonly alternate?: BabelNode
}

type Mutator = { readonly name: string; readonly mutate: (path: { readonly node: BabelNode }) => Iterable<BabelNode> }

const mutators: readonly Mutator[] = [
  { name: 'LeftOutCall', mutate: ({ node }) => withoutCall(node) },
  { name: 'LeftOutAssignment', mutate: ({ node }) => withoutAssignment(node) },
  { name: 'LeftOutOperand', mutate: ({ node }) => eachOperand(node) },
  { name: 'Choice', mutate: ({ node }) => eachChoice(node) },
]

/** Has StrykerJS use them. Its package has no other way in. */
export async function addMutators(): Promise<void> {
  const entry = import.meta.resolve('@stryker-mutator/instrumenter')
  const { allMutators }: { allMutators: Mutator[] } = await import(new URL('mutators/index.js', entry).href)
  for (const mutator of mutators) if (!allMutators.includes(mutator)) allMutators.push(mutator)
}

/** Leaves out a call whose result nobody uses, a call in a list, or a condition of a query. */
function withoutCall({ type, expression, elements = [], callee, ...rest }: BabelNode): BabelNode[] {
  if (type === 'ExpressionStatement' && isCall(expression)) return [{ type: 'EmptyStatement' }]
  if (type === 'ArrayExpression' && elements.length > 1) {
    const without = (call: BabelNode | null) => ({ type, ...rest, elements: elements.filter((one) => one !== call) })
    return elements.filter(isCall).map(without)
  }
  const { object, property } = callee ?? {}
  const isCondition = type === 'CallExpression' && /^add(If)?$/.test(property?.name ?? '')
  return isCondition && object && isCall(object) ? [object] : []
}

function withoutAssignment({ type, expression }: BabelNode): BabelNode[] {
  const isPlain = expression?.type === 'AssignmentExpression' && expression.operator === '='
  return type === 'ExpressionStatement' && isPlain ? [{ type: 'EmptyStatement' }] : []
}

/** Leaves out one side of `&&`, `||` or `??`, unless it is a comparison, which StrykerJS leaves out itself. */
function eachOperand({ type, left, right }: BabelNode): BabelNode[] {
  if (type !== 'LogicalExpression' || !left || !right) return []
  return [...(isComparison(right) ? [] : [left]), ...(isComparison(left) ? [] : [right])]
}

/** Takes always the first, or always the second, unless StrykerJS changes the comparison of a choice. */
function eachChoice({ type, test, consequent, alternate }: BabelNode): BabelNode[] {
  if (type !== 'ConditionalExpression' || !test || !consequent || !alternate) return []
  return isComparison(test) || test.type === 'LogicalExpression' ? [] : [consequent, alternate]
}

function isComparison({ type }: BabelNode): boolean {
  return type === 'BinaryExpression'
}

function isCall(node: BabelNode | null | undefined): boolean {
  return node?.type === 'AwaitExpression' ? isCall(node.argument) : /CallExpression$/.test(node?.type ?? '')
}
