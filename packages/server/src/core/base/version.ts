/** The version of this build. */
import { programVersion } from './program-root.ts'

/** The version of the program. */
export const version: string = programVersion
