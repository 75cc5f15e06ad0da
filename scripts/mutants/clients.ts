import { type Mutant, text } from './mutant.ts'

const sdk = (path: string) => `packages/sdk/${path}`
const cli = (path: string) => `packages/cli/${path}`
const agent = (path: string) => `packages/agent/${path}`
const market = (path: string) => `packages/console/src/market/${path}`
const orders = { file: market('orders/order.rules.ts'), test: market('orders/order.rules.test.ts') }

/** The SDK, the command line and the console. */
export const clientMutants: readonly Mutant[] = [
  {
    wrong: 'An error whose code is newer than the client has no suggestion.',
    file: sdk('src/errors.ts'),
    text: "this.suggestions.join(' ') : generalSuggestion(type, status)",
    replacement: "this.suggestions.join(' ') : ''",
    test: sdk('test/transport.test.ts'),
    caught_by: 'every error of the API has a suggestion',
  },
  {
    wrong: 'The value of a tag ends at its second equals sign.',
    file: cli('src/input/field-values.ts'),
    text: "const at = text.indexOf('=')",
    replacement: "const at = text.lastIndexOf('=')",
    test: cli('src/input/field-values.test.ts'),
    caught_by: 'a tag is split at its first equals sign',
  },
  {
    wrong: 'A host finds images by their digest alone.',
    file: agent('src/images.ts'),
    text: 'function fileOf({ id, sha256 }: Image): string {\n',
    replacement: "function fileOf({ sha256 }: Image): string {\n  const id = 'image'\n",
    test: agent('src/images.test.ts'),
    caught_by: 'an image with the digest of another one is downloaded itself',
    in_commit: true,
  },
  {
    wrong: 'VXLAN packets are accepted outside of the tunnel.',
    file: agent('src/network/ruleset.rules.ts'),
    text: `...accepted(true, \`\${device} \`)`,
    replacement: "...accepted(true, '')",
    test: agent('src/network/ruleset.rules.test.ts'),
    caught_by: 'VXLAN packets of encrypted subnets are accepted from the tunnel only',
    in_commit: true,
  },
  {
    wrong: 'VXLAN packets leave a host on another way while its tunnel is down.',
    file: agent('src/network/ruleset.rules.ts'),
    text: `\`oifname "\${setup.tunnel_device}" udp dport \${carrierPort} accept\``,
    replacement: `\`udp dport \${carrierPort} accept\``,
    test: agent('test/netns/tunnels.test.ts'),
    caught_by: 'a host that has left is cut off, and a tunnel that dies is made again without a leak',
  },
  {
    wrong: 'A listing of profiles shows tokens.',
    file: cli('src/commands/setup/profiles.ts'),
    text: "token: token ? 'set' : null",
    replacement: 'token: token ?? null',
    test: cli('test/profiles.test.ts'),
    caught_by: 'a profile is added with a token from the standard input',
  },
  {
    wrong: 'Tomorrow begins in UTC.',
    file: text('grammar/moments.ts'),
    text: 'wallOf(moment, wallClock(now, place))',
    replacement: 'wallOf(moment, now)',
    test: text('grammar/moments.test.ts'),
    caught_by: 'a day begins in the zone of the reader',
    in_commit: true,
  },
  {
    wrong: 'The completion of bash evaluates the typed line.',
    file: cli('src/commands/setup/completion-scripts.ts'),
    text: 'COMPREPLY=()\n  while',
    replacement: 'COMPREPLY=()\n  eval : $COMP_LINE\n  while',
    test: cli('test/completion-shells.test.ts'),
    caught_by: 'bash completes by the script',
  },
  {
    wrong: 'A filter is ignored.',
    file: cli('src/commands/operation-run.ts'),
    text: '  const choice = await readRowChoice(session, shape, call.typed)\n',
    replacement: '  const choice = await readRowChoice(session, shape, {})\n',
    test: cli('test/output.test.ts'),
    caught_by: 'rows are filtered and sorted',
  },
  {
    wrong: 'The windows of the newest events overlap.',
    file: cli('src/commands/events-list.ts'),
    text: 'end = (start as number) - 1',
    replacement: 'end = (start as number) + 400',
    test: cli('test/words.test.ts'),
    caught_by: 'events are listed newest first with names',
  },
  {
    wrong: 'A cancelled order is reported as deleted.',
    file: cli('src/output/endings.ts'),
    text: "cancel_order: 'Cancelled'",
    replacement: "cancel_order: 'Deleted'",
    test: cli('src/commands/operation-commands.test.ts'),
    caught_by: 'what ends is reported in its own word',
  },
  {
    wrong: 'The help of a command that does not exist is that of the whole program.',
    file: cli('src/program.ts'),
    text: 'if (command === undefined) return rest',
    replacement: 'if (command === undefined) break',
    test: cli('test/words.test.ts'),
    caught_by: 'help takes the words of a command',
  },
  {
    ...orders,
    wrong: 'Amending an order that is filled in part orders all of it again.',
    text: 'const rest = restOf(order.allocation_schedule_delta, order.filled_allocation_schedule_delta)',
    replacement: 'const rest = restOf(order.allocation_schedule_delta, [])',
    caught_by: 'an amended order is what is not filled of the old one',
    in_commit: true,
  },
  {
    wrong: 'A restarted agent does not report a machine that no longer exists.',
    file: agent('src/supervisor.ts'),
    text: `  else if (end) await enterEnd(managed, end)
`,
    replacement: '',
    test: cli('test/agent.test.ts'),
    caught_by: 'a machine that does not exist when the agent restarts',
  },
  {
    wrong: 'An image is removed before a machine starts from it.',
    file: agent('src/images.ts'),
    text: 'files.has(file) || inFlight.has(file)',
    replacement: 'files.has(file)',
    test: cli('test/agent.test.ts'),
    caught_by: 'an image that no machine uses is removed',
  },
]
