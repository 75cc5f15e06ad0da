import { testGroup } from './test-group.ts'

await testGroup('machine_boot')
