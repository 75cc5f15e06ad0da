import { testGroup } from './test-group.ts'

await testGroup('fleet')
