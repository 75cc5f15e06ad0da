// Plants bugs, one after the other, and looks whether the tests find them: npm run plants. Words choose by file name.

import { parseArgs } from 'node:util'
import { quickPlants, slowPlants } from './plants/plants.ts'
import { tryPlant } from './plants/try-plant.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const isMeant = (file: string) => positionals.length === 0 || positionals.some((word) => file.includes(word))
const chosen = [...quickPlants, ...slowPlants].filter(({ file }) => isMeant(file))
let survivors = 0
for (const plant of chosen) {
  const flaw = await tryPlant(plant)
  if (flaw !== undefined) survivors += 1
  console.log(`${flaw === undefined ? 'found   ' : 'SURVIVED'} ${plant.wrong}${flaw === undefined ? '' : ` ${flaw}`}`)
}
console.log(`${chosen.length} bugs planted, ${survivors} survived`)
process.exit(survivors > 0 || chosen.length === 0 ? 1 : 0)
