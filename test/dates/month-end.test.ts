import { testAt } from './moment.ts'

testAt('2026-07-31 23:58:00')
