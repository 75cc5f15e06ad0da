import type { Step } from './step.ts'

/** What must be in order before any test runs, and needs no database: types, format, lint, tidy. */
export function checkSteps(): Step[] {
  return [
    { name: 'types', command: 'node_modules/.bin/tsc', args: ['-p', 'tsconfig.json'] },
    { name: 'format and lint', command: 'node_modules/.bin/biome', args: ['check', '--error-on-warnings'] },
    { name: 'tidy', command: process.execPath, args: ['scripts/tidy.ts'] },
  ]
}
