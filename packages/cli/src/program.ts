// Defines the commands. The file of a command is loaded when the command runs.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addApiCommand } from './definitions/api-commands.ts'
import { addBotCommands } from './definitions/bot-commands.ts'
import { addBroadcastCommands } from './definitions/broadcast-commands.ts'
import { addChannelCommands } from './definitions/channel-commands.ts'
import { outputting } from './definitions/command-parts.ts'
import { addContentCommands } from './definitions/content-commands.ts'
import { addConversationCommands } from './definitions/conversation-commands.ts'
import { addDeliveryCommands } from './definitions/delivery-commands.ts'
import { addHandoffCommands } from './definitions/handoff-commands.ts'
import { addHubCommands } from './definitions/hub-commands.ts'
import { addOperatorCommands } from './definitions/operator-commands.ts'
import { addServerCommands } from './definitions/server-commands.ts'
import { addUserCommands } from './definitions/user-commands.ts'
import { addWorkspaceCommands } from './definitions/workspace-commands.ts'
import { exitCodes } from './failure.ts'

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}

const outcomes = `
Exit codes:
${Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code}  ${meaning}`)
  .join('\n')}
Run "botstead help <command>" for options and examples.`

export function createProgram(): Command {
  const program = new Command('botstead')
    .description('Self-hosted bot platform')
    .version(version)
    .showHelpAfterError('Run "botstead --help" for a list of commands.')
    .configureOutput(outputting)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .enablePositionalOptions()
  program.commandsGroup('Operate a server:')
  addOperatorCommands(program)
  program.commandsGroup('Develop bots:')
  addBotCommands(program)
  program.commandsGroup('Data of a bot:')
  addContentCommands(program)
  addConversationCommands(program)
  addUserCommands(program)
  addChannelCommands(program)
  addHandoffCommands(program)
  addBroadcastCommands(program)
  addDeliveryCommands(program)
  program.commandsGroup('Workspace:')
  addWorkspaceCommands(program)
  addHubCommands(program)
  program.commandsGroup('API and command line:')
  addApiCommand(program)
  addServerCommands(program)
  nameInErrors(program)
  return program.addHelpText('after', outcomes)
}

/** Errors end with the command that shows the options. */
function nameInErrors(parent: Command, path = 'botstead'): void {
  for (const command of parent.commands) {
    const own = `${path} ${command.name()}`
    command.showHelpAfterError(`Run "${own} --help" for options and examples.`)
    nameInErrors(command, own)
  }
}
