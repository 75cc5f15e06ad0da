/** The page that lists what each operation asks of its caller, generated from the contract, to be read as a whole. */
import { endpoints } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'

const introduction = `# What operations ask

Generated from the contract by \`npm run gen\`; change \`trust\`, \`consequence\` and \`unconfirmed\` of the operation
in \`packages/api/src\` instead. A difference in this page changes who may do what, what is recorded or what a client
asks.

*Permission*: the first that it needs; some need others too, which the reference names. \`open\` needs only a token,
\`public\` none. *Limited*: which tokens that are limited may call it (\`docs/concepts/tokens.md\`). *Sign-in*: whether
a person needs one of the last 15 minutes. *Trail*: whether a request that succeeds or is refused for lack of rights
leaves an entry in the audit trail; the use of a token from a network that it does not allow leaves one in any case.
*Asks*: whether the command line asks a person before it sends it, since it ends or spends
something.

| Operation | Permission | Limited | Sign-in | Trail | Asks |
|---|---|---|---|---|---|
`

/** The Markdown of `docs/operations.md`: a row for each operation, and the reasons of those that ask less. */
export function printOperations(): string {
  const operations: readonly Endpoint[] = endpoints
  const reasons = operations.flatMap(({ name, trust, unconfirmed }) => [
    ...(trust?.unasked ? [`- \`${name}\` needs no recent sign-in: ${trust.unasked}`] : []),
    ...(unconfirmed ? [`- \`${name}\` is sent at once: ${unconfirmed}`] : []),
  ])
  return `${introduction}${operations.map(row).join('\n')}\n\n## Reasons\n${reasons.join('\n')}\n`
}

function row({ name, access, trust, consequence }: Endpoint): string {
  const own = trust ? [trust.limited, trust.recent_sign_in, trust.trail] : ['', '', '']
  return `| ${[`\`${name}\``, access, ...own, consequence ?? ''].join(' | ')} |`
}
