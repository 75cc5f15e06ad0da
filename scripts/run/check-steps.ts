import type { Step } from './step.ts'

/** What must be in order before any test runs, and needs no database: types, format, lint, tidy. */
export function checkSteps(): Step[] {
  return [
    { name: 'types', command: 'node_modules/.bin/tsc', args: ['-p', 'tsconfig.json'] },
    { name: 'format and lint', command: 'node_modules/.bin/biome', args: ['check', '--error-on-warnings'] },
    { name: 'tidy', command: process.execPath, args: ['scripts/tidy.ts'] },
  ]
}

/** Whether openapi.json, the schema, the row types and the error page say what contract and migrations say. */
export function generatedStep(): Step {
  return { name: 'generated files', command: process.execPath, args: ['scripts/gen.ts', '--check'] }
}
