import { readPublished, readRepository, tidy } from './tidy/run.ts'
import type { Finding } from './tidy/source.ts'

const texts = readRepository(process.cwd())
const { findings, signals, summary } = tidy(texts, readPublished(process.cwd()))
print(findings)
for (const { path, message } of signals) console.log(`large: ${path} ${message}`)

// Loaded only now, so that the findings above are printed even if the contract fails to load.
const { printFromContract } = await import('./gen/from-contract.ts')
const { staleFiles } = await import('./gen/stale.ts')
const { printDecisions } = await import('./gen/decisions-page.ts')
const { printServices } = await import('./gen/services-table.ts')
const printed = new Map([...printFromContract(), ...printServices(texts), ...printDecisions(texts)])
const stale = staleFiles(texts, printed).map((path) => ({
  path,
  line: 1,
  message: 'out of date: run `npm run gen` and commit the result',
}))
print(stale)

const count = findings.length + stale.length
console.log(`tidy: ${texts.size} files, ${summary}, ${count} findings`)
process.exitCode = count === 0 ? 0 : 1

function print(found: readonly Finding[]): void {
  for (const { path, line, message } of found) console.error(`${path}:${line} ${message}`)
}
