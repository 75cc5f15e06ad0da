import { testAt } from './moment.ts'

testAt('2027-07-31 23:58:00')
