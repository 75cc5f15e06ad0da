import { testAt } from './moment.ts'

// The clocks are put forward two minutes later, by an hour.
testAt('2027-03-14 01:58:00', 'America/New_York')
