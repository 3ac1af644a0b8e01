// What the import of a program knows so far.
import type { Assembly } from '../assembly.ts'
import type { Program } from './program.ts'

export interface Context {
  bot: Assembly
  program: Program
  /** Agents by the variable with their result. */
  results: Map<string, string>
  /** Number of nodes so far, for ids. */
  count: number
}

export const newId = (context: Context, kind: string) => `${kind}${context.count++}`
