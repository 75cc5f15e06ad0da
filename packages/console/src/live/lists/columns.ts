/** Columns of tables and property tables by the contract, as the console shows values. */
import { columnsWith } from './columns.rules.ts'
import { formats } from './formats.tsx'

export const { columnsOf, ownColumns } = columnsWith(formats)
