import { testGroup } from './test-group.ts'

await testGroup('workers')
