// Defines the commands. The file of a command is loaded when the command runs.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addBotCommands } from './bot-commands.ts'
import { addOperatorCommands } from './operator-commands.ts'
import { addUserCommands } from './user-commands.ts'

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}

const outcomes = `
Exit codes: 0 success; 1 the command or a check failed; 2 wrong usage.
Run "botstead help <command>" for options and examples.`

export function createProgram(): Command {
  const program = new Command('botstead')
    .description('Self-hosted bot platform')
    .version(version)
    .showHelpAfterError('Run "botstead --help" for a list of commands.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  addOperatorCommands(program)
  addBotCommands(program)
  addUserCommands(program)
  return program.addHelpText('after', outcomes)
}
