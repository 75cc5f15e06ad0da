/** The command line: its commands, options and help. */
import { Command, Option } from 'commander'
import { addAgent } from './commands/agent.ts'
import { addBillingExport, exportBilling } from './commands/billing-export.ts'
import { alignUsage, drawUsage } from './commands/billing-usage.ts'
import { addBookShow } from './commands/book-show.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEventsTail } from './commands/events-tail.ts'
import { addImagesDownload } from './commands/images-download.ts'
import { addImagesUpload } from './commands/images-upload.ts'
import { addInstancesLogs } from './commands/instances-logs.ts'
import { addInstancesWait } from './commands/instances-wait.ts'
import { addKeys } from './commands/keys.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOperationCommands } from './commands/operation-commands.ts'
import { addOrdersTrade } from './commands/orders-trade.ts'
import { addPlatformToken, platformToken } from './commands/platform-token.ts'
import { addServe } from './commands/serve.ts'
import { addSsh } from './commands/ssh.ts'
import { addStart } from './commands/start.ts'
import { addVersion } from './commands/version.ts'
import { addWebhooksListen } from './commands/webhooks-listen.ts'
import type { CommandContext } from './input/session.ts'
import { exitCodes, exitMeanings } from './output/exit-codes.ts'
import { formats } from './output/output.ts'

/** Creates the program. It throws commander's errors and never ends the process. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('bourse')
  program
    .description('Run, use and try a compute marketplace.')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.data(text.trimEnd()),
      writeErr: (text) => context.terminal.note(text.trimEnd()),
    })
    .addHelpText('after', `\n${environmentHelp}\n\n${exitHelp()}`)
  addGlobalOptions(program)
  addStart(program, context)
  addServe(program, context)
  addMigrate(program, context)
  addAgent(program, context)
  addDoctor(program, context)
  addKeys(program, context)
  addVersion(program, context)
  const groups = addOperationCommands(program, context, {
    export_usage: (options) => exportBilling(context, options),
    list_usage: (options) => drawUsage(context, options) ?? alignUsage(context, options),
    create_token: (options) => (options.platform ? platformToken(context, options) : undefined),
  })
  addBillingExport(groups.get('billing') as Command)
  addPlatformToken(groups.get('tokens') as Command)
  addEventsTail(groups.get('events') as Command, context)
  addBookShow(groups.get('book') as Command, context)
  addOrdersTrade(groups.get('orders') as Command, context)
  addImagesUpload(groups.get('images') as Command, context)
  addImagesDownload(groups.get('images') as Command, context)
  addInstancesWait(groups.get('instances') as Command, context)
  addInstancesLogs(groups.get('instances') as Command, context)
  addWebhooksListen(groups.get('webhooks') as Command, context)
  addSsh(program, context)
  return program
}

function addGlobalOptions(program: Command): void {
  program
    .addOption(new Option('-o, --output <format>', 'Output format of data. Default table.').choices(formats))
    .option('--json', 'Same as -o json.')
    .option('--columns <names>', 'Columns of tables and csv, separated by commas. Write nested ones as sku.alias.')
    .option('--no-header', 'Print no header for tables and csv.')
    .option('--raw', 'Print text unchanged, also escape sequences and invisible characters, which others may control.')
    .option('--no-color', 'Print no colours. NO_COLOR does the same.')
    .option('--base-url <url>', 'URL of the server. Overrides BOURSE_BASE_URL.')
    .option('--insecure-http', 'Send the token to an http URL of another machine, where anyone in between can read it.')
    .option('-y, --yes', 'Do not ask for confirmation.')
    .option('--no-input', 'Never prompt for input.')
    .option('--curl', 'Print the equivalent curl command instead of sending the request.')
    .option('--show-token', 'With --curl: print the token itself instead of its variable.')
    .option('--debug', 'Print requests, their durations and request ids. Never prints secrets.')
}

const environmentHelp = `Environment:
  BOURSE_BASE_URL   the server; else the one of sandbox.env in BOURSE_DATA_DIR (./data)
  BOURSE_API_TOKEN  the token; else the one of sandbox.env, for the server of that file only
  BOURSE_INSECURE_HTTP  1: same as --insecure-http
  NO_COLOR, FORCE_COLOR, CI`

function exitHelp(): string {
  const codes = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  return `Exit codes:\n${codes.map((name) => `  ${String(exitCodes[name]).padEnd(4)}${exitMeanings[name]}`).join('\n')}`
}
