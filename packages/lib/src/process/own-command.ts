import { resolve } from 'node:path'

/** Whether this runs in a clone of the repository, not in an installation of the npm package. */
export const isClone = !import.meta.url.includes('/node_modules/botstead/')

/** The command line of this installation. */
export const ownCommand = isClone ? 'npm run botstead --' : 'botstead'

/** The command that starts the server. */
export const startCommand = ownCommand === 'botstead' ? 'botstead start' : 'npm start'

/** The data folder before a command, if it is not the usual one; else an empty string. */
export function dataFolderBefore(): string {
  const folder = process.env.BOTSTEAD_DATA
  return folder ? `BOTSTEAD_DATA=${inShell(resolve(folder))} ` : ''
}

const inShell = (text: string) =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The command that this process runs, for people, such as `botstead backup`. */
export const runningCommand = (): string =>
  [ownCommand, process.argv[2]].filter(Boolean).join(' ')
