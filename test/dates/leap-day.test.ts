import { testAt } from './moment.ts'

testAt('2028-02-29T12:00:00Z')
