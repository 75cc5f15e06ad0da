import { printFromContract } from './gen/from-contract.ts'
import { staleFiles } from './gen/stale.ts'
import { readPublished, readRepository, tidy } from './tidy/run.ts'

const texts = readRepository(process.cwd())
const findings = tidy(texts, readPublished(process.cwd()))
for (const path of staleFiles(texts, printFromContract())) {
  findings.push({ path, line: 1, message: 'not what it is generated from: run `npm run gen` and commit the result' })
}
for (const { path, line, message } of findings) console.error(`${path}:${line} ${message}`)
console.log(`tidy: ${texts.size} files, ${findings.length} to mend`)
process.exitCode = findings.length === 0 ? 0 : 1
