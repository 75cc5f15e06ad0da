import type { Step } from './step.ts'

/** The checks that need no database: types, format, lint, tidy. */
export function checkSteps(): Step[] {
  return [
    { name: 'types', command: 'node_modules/.bin/tsc', args: ['-p', 'tsconfig.json'] },
    { name: 'types of the console', command: 'node_modules/.bin/tsc', args: ['-p', 'packages/console/tsconfig.json'] },
    { name: 'format and lint', command: 'node_modules/.bin/biome', args: ['check', '--error-on-warnings'] },
    { name: 'tidy', command: process.execPath, args: ['scripts/tidy.ts'] },
  ]
}

/** Checks that openapi.json, the schema, the row types and the error page match the contract and the migrations. */
export function generatedStep(): Step {
  return { name: 'generated files', command: process.execPath, args: ['scripts/gen.ts', '--check'] }
}
