import { testScript } from './script.ts'

// Threads would each check the types that they share. Other tests run beside this one anyway.
testScript('the types are right', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--singleThreaded')
