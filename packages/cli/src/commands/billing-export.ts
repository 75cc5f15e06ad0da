/** `bourse billing export` and `bourse platform ledger`: stream rows to standard output or to a file. */
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import type { Client } from '@bourse/sdk/client.ts'
import type { Query } from '@bourse/sdk/client-types.ts'
import { NetworkError } from '@bourse/sdk/errors.ts'
import type { Command } from 'commander'
import { monthOf, readPeriod } from '../input/periods.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { usageProblem } from '../output/usage.ts'

type BillingExportOptions = GlobalOptions & {
  readonly from?: string
  readonly to?: string
  readonly file?: string
  readonly format?: string
  readonly focusVersion?: string
  readonly dataset?: string
  readonly encoding?: string
}

const mebibyte = 2 ** 20
/** The most characters of a line that an error shows. */
const shownMax = 80

/** Adds the option to the command of an export. */
export function addExportFile(group: Command, name: string): void {
  const command = group.commands.find((one) => one.name() === name)
  command?.option('--file <path>', 'Write to a new file instead of standard output.')
}

type Open = (client: Client, query: object) => AsyncIterable<Uint8Array>

/** Streams an export of the account. With `--curl` the operation itself is shown. */
export function exportBilling(
  context: CommandContext,
  options: BillingExportOptions,
): Promise<BillingExportOptions | void> {
  return exportWith(context, options, (client, query) => client.usage.exportBytes(query as Query<'export_usage'>))
}

/** Streams the operator's export of all accounts. With `--curl` the operation itself is shown. */
export function exportPlatformLedger(
  context: CommandContext,
  options: BillingExportOptions,
): Promise<BillingExportOptions | void> {
  return exportWith(context, options, (client, query) => client.ledger.exportBytes(query as Query<'export_ledger'>))
}

/** The options with the present month, where no month is given. */
export async function thisMonth(context: CommandContext, options: BillingExportOptions): Promise<BillingExportOptions> {
  const { lookup } = openSession(context, options)
  return { ...options, from: monthOf((await lookup.account.get()).server.now) }
}

async function exportWith(
  context: CommandContext,
  options: BillingExportOptions,
  open: Open,
): Promise<BillingExportOptions | void> {
  const session = openSession(context, options)
  const { from, to } = await readPeriod(session, options, 'day')
  if (options.curl) return { ...options, from: String(from), to: String(to) }
  await run(session, { ...options, period: { from, to } }, open)
}

function isBinary({ format, encoding }: BillingExportOptions): boolean {
  return encoding === 'parquet' || format === 'ledger_parquet'
}

/** The bytes of an export. Where it breaks off, the error names the last whole line and the unfinished file. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  options: BillingExportOptions,
  unfinished: () => string | undefined,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let [lines, last, open] = [0, '', '']
  try {
    for await (const part of bytes) {
      yield part
      if (isBinary(options)) continue
      const [rest = '', ...whole] = (open + decoder.decode(part, { stream: true })).split(/\r?\n/).toReversed()
      open = rest
      lines += whole.length
      last = whole[0] ?? last
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const shown = last.length > shownMax ? `${last.slice(0, shownMax)}…` : last
    const line = lines === 0 ? '' : ` The last whole line is number ${lines}: ${shown}`
    const path = unfinished()
    const file = path === undefined ? '' : ` What arrived is in ${path}, and is not complete.`
    throw new NetworkError(`${error.message}${file}${line}`, { requestId: error.requestId, cause: error.cause })
  }
}

type Export = BillingExportOptions & { readonly period: { readonly from: number; readonly to: number } }

async function run(session: Session, options: Export, openBytes: Open): Promise<void> {
  const { client, terminal } = session
  const { file, format, focusVersion: focus_version, dataset, encoding } = options
  const given = Object.entries({ format, focus_version, dataset, encoding }).filter(([, value]) => value !== undefined)
  const query = { ...options.period, ...Object.fromEntries(given) }
  if (file === undefined) {
    if (isBinary(options) && terminal.width !== undefined)
      throw usageProblem('Parquet is not text, so it is not printed to a terminal.', 'Write to a file with --file.')
    for await (const bytes of counted(openBytes(client, query), options, () => undefined)) terminal.raw(bytes)
    return
  }
  const isTaken = await stat(file).then(
    () => true,
    () => false,
  )
  if (isTaken) throw usageProblem(`${file} already exists.`, 'Give another name.')
  let written = 0
  const part = `${file}.part`
  const unfinished = () => (written === 0 ? undefined : part)
  {
    await using stack = new AsyncDisposableStack()
    // Nothing is left behind by an export that does not begin.
    const openPart = async () => stack.use(await open(part, 'w', 0o600))
    let target: FileHandle | undefined
    for await (const bytes of counted(openBytes(client, query), options, unfinished)) {
      target ??= await openPart()
      await target.writeFile(bytes)
      written += bytes.length
      terminal.progress?.(`Exporting: ${(written / mebibyte).toFixed(1)} MiB`)
    }
    target ??= await openPart()
    await target.sync()
  }
  await rename(part, file)
  terminal.progress?.('')
  terminal.note(`${file}: ${written} bytes.`)
}
