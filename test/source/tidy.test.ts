import { testScript } from './script.ts'

testScript('the rules of the architecture are kept', 'scripts/tidy.ts')
