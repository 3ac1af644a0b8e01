// Shared parts of the commands.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Connecting } from './credentials.ts'
import { report } from './failure.ts'
import { ownCommand } from './own-command.ts'

/** Runs a command and reports an error as one sentence. */
export const run =
  <Args extends unknown[]>(command: (...args: Args) => Promise<void>) =>
  (...args: Args) =>
    command(...args).catch(report)

/**
 * Adds the options of a call to a server. Defaults come from the credentials file in the data
 * folder.
 */
export const connecting = (command: Command) =>
  command
    .option('--url <url>', 'URL of the server, by default the server of the data folder')
    .option('--token <token>', 'personal access token')
    .option('--workspace <id>', 'id of the workspace')

/**
 * Returns the options of `connecting` for a printed command. The token is a secret, and output may
 * be logged: a placeholder stands for it.
 */
export const connectingArguments = ({ url, token, workspace }: Connecting): string =>
  [
    url !== undefined && ` --url ${inShell(url)}`,
    token !== undefined && ' --token <token>',
    workspace !== undefined && ` --workspace ${inShell(workspace)}`,
  ]
    .filter((one) => one)
    .join('')

/** The command of this installation, with the data folder if it is not the usual one. */
export const botsteadCommand = (): string => {
  const folder = process.env.BOTSTEAD_DATA
  return `${folder ? `BOTSTEAD_DATA=${inShell(resolve(folder))} ` : ''}${ownCommand}`
}

const inShell = (text: string) =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

export const examples = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
