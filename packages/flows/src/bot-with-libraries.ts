// The handler of bots with flows whose documents name libraries, which make its code twice as long.
import { runFlows as run } from './bot.ts'
import { loadLibraries } from './code/libraries.ts'
import type { Program } from './document/program.ts'

export const runFlows = (program: Program): ReturnType<typeof run> =>
  run(program, loadLibraries)
