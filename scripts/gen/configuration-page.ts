import type { SettingTable } from '@bourse/text/settings.ts'
import { agentVariables } from '../../packages/agent/src/agent-variables.ts'
import { clientVariables } from '../../packages/cli/src/input/client-variables.ts'
import { serverSettings } from '../../packages/server/src/core/base/server-settings.ts'
import { imageStoreSettings } from '../../packages/server/src/core/blobs/image-store-settings.ts'
import { traceVariables } from '../../packages/server/src/core/trace/trace-variables.ts'
import { linksFrom, markdownTable } from './page-links.ts'

/** The tables of the page, by their headings. */
export const settingTables: Readonly<Record<string, SettingTable>> = {
  Server: serverSettings,
  'Image store': imageStoreSettings,
  Traces: traceVariables,
  'Command line and SDK': clientVariables,
  'Agent of a host': agentVariables,
}

const link = linksFrom('docs/reference/configuration.md')

const introduction = `# Configuration

Generated from the code by \`npm run gen\`; change the table in the code that reads a variable instead.

Bourse reads its settings from the environment, to which \`--env-file FILE\` adds those of a file. Other files that a
server reads are named by variables, and the command line has profiles too. An empty variable counts as not set. A
server that finds a wrong value does not start, and its message names the variable:

\`\`\`console
$ BOURSE_PORT=99999 bourse start
Error: BOURSE_PORT must be a whole number between 0 and 65535.
\`\`\`

A server reads its variables once, at its start: restart it after a change. Only the file of the certificate and, in
production, those of keys are read again. *Read by* names commands of \`bourse\`; \`start\` is a sandbox, \`serve\` is
production. Commands that act for a server of production read what it reads: \`doctor\`, \`audit verify\`, \`audit
export\`, \`keys reencrypt\`, \`tokens create --platform\` and, but for keys, \`install production\`. The health check
of the image reads \`BOURSE_HOST\`, \`BOURSE_PORT\` and \`BOURSE_TLS_CERT_FILE\`. A profile that
\`--profile\` names takes precedence over \`BOURSE_BASE_URL\`, \`BOURSE_API_TOKEN\`, \`BOURSE_WORKSPACE\` and
\`BOURSE_OUTPUT\`. \`bourse doctor\` lists the settings in use that give up a protection. Step by step:
${link('production', 'docs/guides/production.md')}, ${link('the command line', 'docs/guides/command-line.md')},
${link('your own hosts', 'docs/guides/hosts.md')}.

!${link('A production set-up with its ports', 'docs/images/production.svg')}
`

const head = ['Variable', 'Meaning', 'Default', 'Values', 'Read by']
/** Readers that are commands of `bourse`. */
const commands = /^[a-z]+( (verify|export|rotate|reencrypt|enrol))?$/

/** The Markdown of `docs/reference/configuration.md`: a row for each variable that a program reads. */
export function printConfiguration(): string {
  const sections = Object.entries(settingTables).map(
    ([heading, table]) => `## ${heading}\n\n${markdownTable(head, Object.entries(table).map(cellsOf))}`,
  )
  return [introduction, ...sections].join('\n')
}

function cellsOf([name, setting]: readonly [string, SettingTable[string]]): string[] {
  const fallback = setting.fallback === undefined ? 'none' : `\`${setting.fallback}\``
  const readers = setting.readers.map((reader) => (commands.test(reader) ? `\`${reader}\`` : reader))
  return [`\`${name}\``, setting.meaning, setting.unset ?? fallback, valuesOf(setting), readers.join(', ')]
}

function valuesOf(setting: SettingTable[string]): string {
  if ('min' in setting) return `${setting.min} to ${setting.max}`
  if ('words' in setting) return setting.words.map((word) => `\`${word}\``).join(', ')
  return setting.form ?? 'a text'
}
