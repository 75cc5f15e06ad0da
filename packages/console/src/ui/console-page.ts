/** A page of the console, as an area declares it. */
import type { RouteComponent } from '@tanstack/react-router'

/** A path below /console, where $id is a parameter, and what is shown there. */
export type ConsolePage<Path extends string = string> = { readonly path: Path; readonly component: RouteComponent }
