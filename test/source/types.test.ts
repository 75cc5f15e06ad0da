import { testScript } from './script.ts'

testScript('the types are right', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')
