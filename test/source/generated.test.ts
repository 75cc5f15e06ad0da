import { testScript } from './script.ts'

testScript('generated files match the contract and the migrations', 'scripts/gen.ts', '--check')
