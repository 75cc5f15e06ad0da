import { testAt } from './moment.ts'

testAt('2027-07-31T23:58:00Z')
