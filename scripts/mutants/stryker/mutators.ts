/**
 * Mutators beside those of StrykerJS, which leaves out whole blocks, but no call or assignment, and changes
 * comparisons, but neither `isOpen ? a : b` nor `isOpen && a`.
 */

/** The parts of Babel's tree of a source file that are used. */
type Node = {
  readonly type: string
  readonly name?: string
  readonly operator?: string
  readonly expression?: Node
  readonly argument?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly elements?: readonly (Node | null)[]
  readonly left?: Node
  readonly right?: Node
  readonly test?: Node
  readonly consequent?: Node
  readonly alternate?: Node
}

type Mutator = { readonly name: string; readonly mutate: (path: { readonly node: Node }) => Iterable<Node> }

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
function withoutCall({ type, expression, elements = [], callee, ...rest }: Node): Node[] {
  if (type === 'ExpressionStatement' && isCall(expression)) return [{ type: 'EmptyStatement' }]
  if (type === 'ArrayExpression' && elements.length > 1) {
    const without = (call: Node | null) => ({ type, ...rest, elements: elements.filter((one) => one !== call) })
    return elements.filter(isCall).map(without)
  }
  const { object, property } = callee ?? {}
  const isCondition = type === 'CallExpression' && /^add(If)?$/.test(property?.name ?? '')
  return isCondition && object && isCall(object) ? [object] : []
}

function withoutAssignment({ type, expression }: Node): Node[] {
  const isPlain = expression?.type === 'AssignmentExpression' && expression.operator === '='
  return type === 'ExpressionStatement' && isPlain ? [{ type: 'EmptyStatement' }] : []
}

/** Leaves out one side of `&&`, `||` or `??`, unless it is a comparison, which StrykerJS leaves out itself. */
function eachOperand({ type, left, right }: Node): Node[] {
  if (type !== 'LogicalExpression' || !left || !right) return []
  return [...(isComparison(right) ? [] : [left]), ...(isComparison(left) ? [] : [right])]
}

/** Takes always the first, or always the second, unless StrykerJS changes the comparison of a choice. */
function eachChoice({ type, test, consequent, alternate }: Node): Node[] {
  if (type !== 'ConditionalExpression' || !test || !consequent || !alternate) return []
  return isComparison(test) || test.type === 'LogicalExpression' ? [] : [consequent, alternate]
}

function isComparison({ type }: Node): boolean {
  return type === 'BinaryExpression'
}

function isCall(node: Node | null | undefined): boolean {
  return node?.type === 'AwaitExpression' ? isCall(node.argument) : /CallExpression$/.test(node?.type ?? '')
}
