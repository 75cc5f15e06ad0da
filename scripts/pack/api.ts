/** Builds the package `@bourse/api` as it is published: the contract as JavaScript, declarations and openapi.json. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCompiled } from './compiled.ts'
import { root } from './program.ts'

/** Builds the package in a directory, which is emptied first. */
export async function buildApi(directory: string): Promise<void> {
  await buildCompiled(directory, { folder: 'api', manifest })
  await cp(join(root, 'openapi.json'), join(directory, 'openapi.json'))
}

function manifest(own: Readonly<Record<string, unknown>>): object {
  const { private: _, exports: __, dependencies: ___, ...rest } = own
  const main = { types: './dist/contract.d.ts', default: './dist/contract.js' }
  return {
    ...rest,
    types: main.types,
    exports: {
      '.': main,
      './openapi.json': './openapi.json',
      './package.json': './package.json',
      './*.js': { types: './dist/*.d.ts', default: './dist/*.js' },
    },
    files: ['dist', 'openapi.json'],
  }
}
