/** The types of the operations by name, for programs that handle operations as data. */
import type { Answers, Bodies, Params as ParamsByName, Queries } from './generated/types.ts'

/** The name of an operation in the contract: `list_instances`. */
export type OperationName = keyof Answers

/** The data of a successful response. An open enum accepts any string, because the server may be newer. */
export type Answer<N extends OperationName> = Answers[N]

/** One entry of the list that an operation returns. */
export type Item<N extends OperationName> = Answers[N] extends { data: (infer T)[] } ? T : never

/** The filters of a list and its page parameters, or the query of another operation. */
export type Query<N extends OperationName> = Queries[N]

/** The body of an operation. */
export type Body<N extends OperationName> = Bodies[N]

/** The path parameters of an operation, by their names. */
export type Params<N extends OperationName> = ParamsByName[N]
