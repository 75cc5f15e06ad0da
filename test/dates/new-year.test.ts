import { testAt } from './moment.ts'

testAt('2026-12-31 23:59:00')
