// What commands are made of.
import type { Command } from 'commander'
import { report } from './failure.ts'

/** Runs a command; whatever it throws ends as one sentence. */
export const run =
  <Args extends unknown[]>(command: (...args: Args) => Promise<void>) =>
  (...args: Args) =>
    command(...args).catch(report)

/** Where the server is and who calls. By default what the first start wrote into the data folder. */
export const connecting = (command: Command) =>
  command
    .option('--url <url>', 'the server, by default the one of the data folder')
    .option('--token <token>', 'a personal access token')
    .option('--workspace <id>', 'the workspace to act in')

export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
