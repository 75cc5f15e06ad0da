import { testAt } from './moment.ts'

testAt('2028-02-29 12:00:00')
