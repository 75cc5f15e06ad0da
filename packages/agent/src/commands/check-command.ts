/** `agent check`: whether machines can run on this host. */
import { type Command, Option } from 'commander'
import { checkOf } from '../checks.ts'
import { findDevices } from '../devices/device-checks.ts'
import { openDeviceTree } from '../devices/device-tree.ts'
import { devicesOfHost } from '../devices/devices-of-host.ts'
import type { Finding } from '../drivers/driver.ts'
import { acceleratorTable, readHostHardware } from '../facts/facts.ts'
import { devicesToCheck, hardwareFindings, neededFor, roomFindings, skuFindings } from '../facts/fit-checks.ts'
import { hostProblem, unfitHost } from '../problems.ts'
import { isFileName, readSkuFile } from '../sku-file.ts'
import { type AgentCommandContext, logOf } from './command-context.ts'
import { type AgentFlags, wholeNumber, withFlags } from './command-flags.ts'
import { inspectHost, sentenceOf } from './host-probe.ts'

type CheckFlags = AgentFlags & { sku?: string; slots: number }

/** Adds `agent check`. */
export function addCheckCommand(group: Command, directory: string, context: AgentCommandContext): void {
  const { printChecks, readSku } = context
  const command = withFlags(group.command('check'), directory)
  command
    .description('Check whether machines can run on this host, and how to install what is missing.')
    .option('--sku <name>', 'Also compare the hardware with a SKU: its name, its id, or a file with its JSON.')
    .addOption(
      new Option('--slots <count>', 'How many nodes of the SKU this host is to supply.')
        .argParser(wholeNumber(1, 64))
        .default(1),
    )
    .addHelpText('after', '\nExamples:\n  $ bourse agent check\n  $ bourse agent check --sku h100-west --slots 1')
    .action(async (flags: CheckFlags) => {
      const { sku: word, slots, directory: at, acceleratorsFile } = flags
      const options = command.optsWithGlobals()
      const sku = word === undefined ? undefined : await skuOf(word, options, readSku)
      const { fitness, driver } = await inspectHost(flags)
      const table = await acceleratorTable(acceleratorsFile)
      const devices = await devicesOfHost({ directory: at, driver, log: logOf(context) })
      const hardware = await readHostHardware({ directory: at, table, driver, devices })
      const question = { is_root: process.getuid?.() === 0, of: devicesToCheck(sku) }
      const given = devices ? await findDevices(openDeviceTree('/'), hardware, question) : []
      const host = [...fitness.findings, ...hardwareFindings(hardware), ...given]
      const compared = sku
        ? [...skuFindings(hardware, sku, slots), ...(await roomFindings(hardware, { sku, slots, driver }))]
        : []
      const all = [...(sku ? neededFor(sku, host) : host), ...compared]
      const measured = flags.benchmarkScript === undefined ? [] : [await benchmarkFinding(flags.benchmarkScript)]
      printChecks([...all, ...measured].map(checkOf), options)
      if (!fitness.is_fit) throw unfitHost(sentenceOf(fitness, []))
      const misfit = all.some(({ is_good, is_optional }) => !is_good && !is_optional)
      if (misfit) throw unfitHost(`This host does not fit ${slots} × ${sku?.alias}.`)
      if (measured.some(({ is_good }) => !is_good)) throw hostProblem('The benchmark script does not work.')
    })
}

/** Runs the benchmark script once, to show its figures. They are not reported. */
async function benchmarkFinding(script: string): Promise<Finding> {
  const subject = 'benchmark'
  const { runScript } = await import('../benchmark/script.ts')
  const { figuresLine } = await import('../benchmark/figures.rules.ts')
  try {
    const message = figuresLine(await runScript(script, new AbortController().signal))
    return { subject, is_good: true, message }
  } catch (error) {
    return { subject, is_good: false, message: (error as Error).message }
  }
}

function skuOf(word: string, options: Readonly<Record<string, unknown>>, readSku: AgentCommandContext['readSku']) {
  if (isFileName(word)) return readSkuFile(word)
  if (readSku) return readSku(word, options)
  throw hostProblem('This program has no API token. Give a file: bourse skus get NAME -o json > sku.json')
}
