// Shared parts of the commands.
import { resolve } from 'node:path'
import { type Command, Option, type OutputConfiguration } from 'commander'
import { report } from '../failure.ts'
import { ownCommand } from '../own-command.ts'
import type { Connecting } from '../server/connection.ts'

/** Runs a command and reports an error as one sentence. */
export const run =
  <Args extends unknown[]>(command: (...args: Args) => Promise<void>) =>
  (...args: Args) =>
    command(...args).catch(report)

/** Errors of the parser begin as the other ones do. */
export const outputting: OutputConfiguration = {
  outputError: (text, write) => write(text.replace(/^error:/, 'botstead:')),
}

/** An option with fixed choices. Other values are wrong usage, and the error lists the choices. */
export const choice = (flags: string, description: string, choices: readonly string[]) =>
  new Option(flags, description).choices(choices)

/** An option that the environment can set, too. Its help does not show the value: it may be secret. */
export const fromEnvironment = (flags: string, description: string, variable: string) =>
  new Option(flags, description).env(variable)

/** Of commands that delete something (`confirm` in prompt.ts). */
export const yesOption = () => new Option('--yes', 'do not ask for confirmation')

export const idempotencyKeyOption = () =>
  new Option(
    '--idempotency-key <key>',
    'a repetition with the same key has no further effect',
  )

export const serverOption = () =>
  fromEnvironment(
    '--server <url|profile>',
    'URL of the server or name of a profile, by default the profile in use or the data folder',
    'BOTSTEAD_SERVER',
  )
export const tokenOption = () =>
  fromEnvironment('--token <token>', 'personal access token', 'BOTSTEAD_TOKEN')
export const workspaceOption = () =>
  fromEnvironment('--workspace <id>', 'id of the workspace', 'BOTSTEAD_WORKSPACE')
export const botOption = () =>
  fromEnvironment('--bot <id>', 'id of the bot, by default the first bot', 'BOTSTEAD_BOT')

/** The options that name the server. `--url` is the former name of `--server`. */
export const serverOptions = () => [serverOption(), new Option('--url <url>').hideHelp()]

/**
 * The options of a call to a server. Defaults come from the profile in use, or from the credentials
 * file in the data folder.
 */
export const connectionOptions = () => [
  ...serverOptions(),
  tokenOption(),
  workspaceOption(),
]

/**
 * Returns the options of a connection for a printed command. The token is a secret, and output may
 * be logged: a placeholder stands for it.
 */
export const connectingArguments = ({
  server,
  url,
  token,
  workspace,
}: Connecting): string => {
  const address = server ?? url
  return [
    address !== undefined && ` --server ${inShell(address)}`,
    token !== undefined && ' --token <token>',
    workspace !== undefined && ` --workspace ${inShell(workspace)}`,
  ]
    .filter((one) => one)
    .join('')
}

/** The command of this installation, with the data folder if it is not the usual one. */
export const botsteadCommand = (): string => {
  const folder = process.env.BOTSTEAD_DATA
  return `${folder ? `BOTSTEAD_DATA=${inShell(resolve(folder))} ` : ''}${ownCommand}`
}

export const inShell = (text: string) =>
  /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

interface Definition {
  about: string
  /** In the order of the help, before `--json`. */
  options?: Option[]
  /** The help of `--json`; false for a command without it. */
  json?: string | false
  examples: string[]
  /** Whether the parent alone runs it. */
  isDefault?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: Commander passes arguments and options as it parsed them
  run: (...args: any[]) => Promise<void>
}

/** `usage`: the name with the arguments, such as `show <id>`. */
export function addCommand(
  parent: Command,
  usage: string,
  {
    about,
    options = [],
    json = 'print JSON',
    examples: lines,
    isDefault = false,
    run: work,
  }: Definition,
): Command {
  const command = parent.command(usage, { isDefault }).description(about)
  for (const option of options) command.addOption(option)
  if (json) command.option('--json', json)
  return command.addHelpText('after', examples(...lines)).action(run(work))
}

export const examples = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
