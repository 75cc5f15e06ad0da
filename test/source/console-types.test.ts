import { testScript } from './script.ts'

testScript(
  'the types of the console are right',
  'node_modules/typescript/bin/tsc',
  '-p',
  'packages/console/tsconfig.json',
)
