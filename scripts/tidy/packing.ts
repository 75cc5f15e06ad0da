import { isGenerated, isTypeScript } from './house.ts'
import { type Finding, isNode, type Repository, type Rule } from './source.ts'

export const packingRules: readonly Rule[] = [packedSpreads]

const spreads = new Set(['SpreadElement', 'JSXSpreadAttribute'])

/** A literal with two or more members is not spread into another: that only puts several members on one line. */
export function packedSpreads(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => isTypeScript(path) && !isGenerated(path))
    .flatMap((file) =>
      file.nodes.flatMap((node) => {
        if (!spreads.has(node.type) || !isNode(node.argument)) return []
        const { properties, elements } = node.argument
        const members = node.argument.type === 'ObjectExpression' ? properties : elements
        if (!Array.isArray(members) || members.length < 2) return []
        const line = file.lineOf(node.start)
        return [{ path: file.path, line, message: 'a spread literal: write its members one by one' }]
      }),
    )
}
