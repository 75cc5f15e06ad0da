import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { printDashboards } from './gen/dashboards.ts'
import { printDecisions } from './gen/decisions-page.ts'
import { printFromCommandLine } from './gen/from-command-line.ts'
import { printFromContract } from './gen/from-contract.ts'
import { printFromMigrations } from './gen/from-migrations.ts'
import { printFromSandbox } from './gen/from-sandbox.ts'
import { printServices } from './gen/services-table.ts'
import { isMigration } from './tidy/migrations.ts'
import { readRepository } from './tidy/run.ts'

const migrations = globSync('migrations/*.sql').filter(isMigration)
const texts = readRepository(process.cwd())
const examples = await printFromSandbox()
const printed = new Map([
  ...examples.printed,
  ...(await printFromCommandLine()),
  ...printFromContract(examples.recorded),
  ...(await printFromMigrations(migrations)),
  ...printDashboards(),
  ...printServices(texts),
  ...printDecisions(texts),
])
const stale = [...printed].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)

if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is out of date: run \`npm run gen\` and commit it`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(`wrote ${path}`)
  }
  console.log(`${printed.size} generated files, ${stale.length} changed`)
}
