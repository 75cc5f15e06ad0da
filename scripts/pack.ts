/** `npm run pack`: writes the packages that are published as tarballs to tmp/packages. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packCli, packOperators, packSdk } from './pack/packages.ts'
import { root } from './pack/program.ts'

const directory = join(root, 'tmp/packages')
await mkdir(directory, { recursive: true })
console.log(await packSdk(directory))
console.log(await packCli(directory))
console.log(await packOperators(directory))
