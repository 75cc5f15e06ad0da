/** Alerts, runbooks and dashboards fit each other, the metrics of the server and the commands. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { test } from 'vitest'
import { withVerbSpelledOut } from '../packages/cli/src/input/shortcuts.ts'
import { createWholeProgram } from '../packages/cli/src/program.ts'
import {
  pageNameOf,
  queriesOf,
  readAlerts,
  readDashboards,
  readFamilies,
  readRunbooks,
  root,
  unknownMetrics,
} from './ops/published.ts'

const alerts = readAlerts()
const runbooks = readRunbooks()
const families = readFamilies()

test('each alert has a runbook, each runbook its alert, and the index names all of them', () => {
  const names = alerts.map(({ alert }) => alert)
  assert.deepEqual([...runbooks.keys()].sort(), names.map(pageNameOf).sort())
  for (const name of names) assert.match(name, /^Bourse(?:[A-Z][a-z]+)+$/)
  const index = readFileSync(join(root, 'docs/runbooks/README.md'), 'utf8')
  const rows = [...index.matchAll(/^\| \[(\w+)\]\(([a-z-]+)\.md\) \| (.+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, name, page, meaning]) => [name, page, meaning]).sort(),
    alerts.map(({ alert, annotations }) => [alert, pageNameOf(alert), annotations.summary]).sort(),
  )
})

test('an alert has a severity, sentences, its page, and a case that fires in alerts.test.yaml', () => {
  const cases = readFileSync(join(root, 'ops/alerts.test.yaml'), 'utf8')
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(['critical', 'warning', 'info'].includes(labels.severity), alert)
    for (const text of [annotations.summary, annotations.description]) assert.match(text, /^[A-Z{/].*\.$/, alert)
    assert.equal(annotations.runbook_url, `{{ $externalLabels.bourse_url }}/docs/runbooks/${pageNameOf(alert)}`)
    assert.ok(cases.includes(`alertname="${alert}",alertstate="firing",severity="${labels.severity}"`), alert)
  }
})

test('a runbook is named by its alert and answers the same five questions', () => {
  for (const { alert, labels } of alerts) {
    const text = runbooks.get(pageNameOf(alert)) ?? ''
    assert.ok(text.startsWith(`# ${alert}\n\n`), alert)
    assert.deepEqual(
      [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
      ['How bad', 'Confirm', 'Do', 'Do not'],
      alert,
    )
    const words = { critical: 'Critical:', warning: 'Warning:', info: 'Information:' }
    assert.ok(text.includes(`## How bad\n${words[labels.severity as keyof typeof words]}`), alert)
  }
})

test('alerts, dashboards and runbooks name only metrics that the server has', () => {
  for (const { alert, expr } of alerts) assert.deepEqual(unknownMetrics(expr, families), [], alert)
  for (const [name, text] of runbooks) assert.deepEqual(unknownMetrics(text, families), [], name)
  const dashboards = readDashboards()
  for (const dashboard of dashboards)
    for (const { title, expr } of queriesOf(dashboard)) assert.deepEqual(unknownMetrics(expr, families), [], title)
  assert.deepEqual(unknownMetrics('rate(bourse_gone_total[5m])', families), ['bourse_gone_total'])
})

/** The commands of a text, in blocks and in sentences, without what follows in a pipe. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, lines = '']) => lines.split('\n'))
  const sentences = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  return [...blocks, ...sentences].filter((line) => line.startsWith('bourse ')).map((line) => line.slice(7))
}

const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Parses commands without running them. */
async function createParser(): Promise<(words: readonly string[]) => Promise<unknown>> {
  const terminal = { data: () => {}, raw: () => {}, note: () => {}, ask: async () => undefined, width: undefined }
  const plain = { ...terminal, dim: String, red: String, bidColour: String, askColour: String }
  const program = await createWholeProgram({ terminal: plain, variables: {} })
  const doNothing = (command: Command) => {
    if (command.commands.length === 0) command.action(() => {})
    for (const child of command.commands) doNothing(child)
  }
  doNothing(program)
  return (words) => program.parseAsync([...withVerbSpelledOut(words)], { from: 'user' })
}

test('every command that a runbook names parses', async () => {
  const commands = [...runbooks].flatMap(([name, text]) => commandsIn(text).map((command) => ({ name, command })))
  assert.ok(commands.length > 30, `${commands.length} commands`)
  const parse = await createParser()
  for (const { name, command } of commands) {
    await parse(wordsOf(command)).catch((error) => assert.fail(`${name}: bourse ${command}: ${error.message}`))
  }
  for (const wrong of ['hosts lisst', 'hosts list --helth faulted', 'market get now', 'gone'])
    await assert.rejects(parse(wordsOf(wrong)), wrong)
})
