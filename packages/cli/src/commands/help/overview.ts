/** The help of the program itself: its commands in groups, and the options that all of them have. */
import type { Command, Help } from 'commander'
import { shortcuts } from '../../input/shortcuts.ts'
import { exitCodes, exitMeanings } from '../../output/exit-codes.ts'

/** Commands by what they are for, in the groups of the reference. Those of the operator say so themselves. */
const groups: Readonly<Record<string, string>> = {
  'Begin:': 'start login logout whoami init profiles config completion version help',
  'Trade:': 'orders book skus sku-properties pools pool-transfers procurements',
  'Run:':
    'run instances ssh deployments instance-templates images image-parts ssh-keys firewalls subnets ' +
    'infiniband-partitions',
  'Follow:': 'events webhooks audit names',
  'Money:': 'billing',
  'Account:': 'account limits workspaces users roles grants permissions tokens',
  'Operator:': 'serve migrate doctor backup restore keys install hosts host-enrolments',
  'Sandbox:': 'sandbox',
  'Agent:': 'agent',
}
const operators = 'Operator:'
const others = 'Others:'

const groupOfName = new Map(
  Object.entries(groups).flatMap(([group, names]) => names.split(' ').map((name) => [name, group] as const)),
)

/** The heading under which the help of the program lists a command. */
export function groupOf(name: string, description: string): string {
  if (/For the platform operator\.$/.test(description)) return operators
  return groupOfName.get(name) ?? others
}

/** All headings, in their order. */
export const headings = [...Object.keys(groups), others]

/** What a command is, in one line: its heading says for whom. */
export function shortDescription(description: string): string {
  const [first = ''] = description.replace(/ For the platform operator\.$/, '').split(/(?<=\.) |: /)
  return first.endsWith('.') ? first : `${first}.`
}

/** What stands below the commands. */
export const overviewText = `
Short for:
${Object.entries(shortcuts)
  .map(([verb, words]) => `  ${verb.padEnd(22)} bourse ${words.join(' ')}`)
  .join('\n')}

Options of all commands:
  -o, --output <format>  table, json, jsonl, yaml, csv or id; --json is short for -o json
  --profile <name>       the server and the token to use
  -y, --yes              do not ask for confirmation
  --curl                 print the request in place of sending it
  -h, --help             show the help of a command
The others, the environment and the exit codes: bourse help options`

const environmentHelp = `Environment:
  BOURSE_BASE_URL   the server; if unset, the server of the profile, else of sandbox.env in BOURSE_DATA_DIR (./data)
  BOURSE_API_TOKEN  the token; if unset, the token of the profile or of sandbox.env, sent only to the server named there
  BOURSE_PROFILE    the profile; if unset, the current profile of \`bourse profiles\`
  BOURSE_WORKSPACE, BOURSE_OUTPUT  the workspace of names and new resources, and the output format
  BOURSE_INSECURE_HTTP  1: same as --insecure-http
  NO_COLOR, FORCE_COLOR, CI`

/** All options that every command takes, what it reads from the environment, and how it ends. */
export function optionsText(program: Command): string {
  const help: Help = program.createHelp()
  help.prepareContext({})
  const rows = program.options.map((option) => [help.optionTerm(option), help.optionDescription(option)] as const)
  const width = Math.max(...rows.map(([term]) => term.length))
  const shown = rows.map(([term, text]) => help.formatItem(term, width, text, help))
  return `Options of all commands:\n${shown.join('\n')}\n\n${environmentAndExits()}`
}

/** What every command reads from the environment, and how it ends. */
export function environmentAndExits(): string {
  const codes = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  const exits = codes.map((name) => `  ${String(exitCodes[name]).padEnd(4)}${exitMeanings[name]}`)
  return `${environmentHelp}\n\nExit codes:\n${exits.join('\n')}`
}
