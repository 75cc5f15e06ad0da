/** Builds the package `@bourse/sdk` as it is published: JavaScript and declarations, without dependencies. */
import { buildCompiled } from './compiled.ts'

/** Builds the package in a directory, which is emptied first. */
export function buildSdk(directory: string): Promise<void> {
  return buildCompiled(directory, { folder: 'sdk', manifest })
}

function manifest(own: Readonly<Record<string, unknown>>): object {
  const { private: _, exports: __, dependencies: ___, ...rest } = own
  const entry = { types: './dist/sdk.d.ts', default: './dist/sdk.js' }
  return { ...rest, types: entry.types, exports: { '.': entry, './package.json': './package.json' }, files: ['dist'] }
}
