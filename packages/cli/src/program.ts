// What there is to call. Each command is a file of its own, loaded when it is called.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addBotCommands } from './bot-commands.ts'
import { addOperatorCommands } from './operator-commands.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const outcomes = `
Exit codes: 0 it is done, or all is well; 1 it failed, or something is bad; 2 it was called in a wrong way.
"botstead help <command>" says more about each, with examples.`

export function makeProgram(): Command {
  const program = new Command('botstead')
    .description('A bot platform on your own machine')
    .version(version)
    .showHelpAfterError('Run "botstead --help" to see what there is.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  addOperatorCommands(program)
  addBotCommands(program)
  return program.addHelpText('after', outcomes)
}
