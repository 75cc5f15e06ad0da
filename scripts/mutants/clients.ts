import type { Mutant } from './mutant.ts'

const sdk = (path: string) => `packages/sdk/${path}`
const cli = (path: string) => `packages/cli/${path}`
const agent = (path: string) => `packages/agent/${path}`

/** The SDK, the command line and the agent. */
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
    wrong: 'YAML loses the blanks at the end of its last text.',
    file: cli('src/output/yaml-text.ts'),
    text: ".replace(/\\n$/, '')",
    replacement: '.trimEnd()',
    test: cli('src/output/output.test.ts'),
    caught_by: 'YAML has the values of JSON, and no text that another version of YAML reads as another type',
  },
]
