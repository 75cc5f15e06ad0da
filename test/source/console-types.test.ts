import { testScript } from './script.ts'

for (const [what, name] of [
  ['the console', 'tsconfig.json'],
  ['the tests beside the console', 'tsconfig.tests.json'],
]) {
  testScript(`the types of ${what} are right`, 'node_modules/typescript/bin/tsc', '-p', `packages/console/${name}`)
}
