/** The version of this build. */
import { programVersion } from './program-root.ts'

/** The version of the interface that this build implements. */
export const interfaceVersion = '0.1.0'

/** The version of the program. */
export const version: string = programVersion
