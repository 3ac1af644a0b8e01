// The commands that output recommends: those that work in the shell of the caller.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

type Installation = 'global' | 'project' | 'clone'

/** `--no`: npx never downloads a package of this name. */
const commands: Record<Installation, string> = {
  global: 'botstead',
  project: 'npx --no botstead',
  clone: 'npm run botstead --',
}

/**
 * Returns how the caller can run this installation. npm adds `node_modules/.bin` to the PATH of its
 * scripts only, so a program there needs `npx`. `file` is a module of this installation, `program`
 * is argv[1].
 */
export function findInstallation(
  file: string,
  program: string,
  searchPath: string,
  exists: (path: string) => boolean = existsSync,
): Installation {
  const isPackage = file.includes('/node_modules/botstead/')
  if (!isPackage && !/[\\/]botstead(?:\.cmd)?$/.test(program)) return 'clone'
  const folders = searchPath
    .split(delimiter)
    .filter((folder) => folder && !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
  const names = ['botstead', 'botstead.cmd']
  const isInPath = folders.some((folder) =>
    names.some((name) => exists(join(folder, name))),
  )
  return isInPath ? 'global' : 'project'
}

const installation = findInstallation(
  import.meta.url,
  process.argv[1] ?? '',
  process.env.PATH ?? '',
)

/** The command of this installation. */
export const ownCommand = commands[installation]

/** The command that starts the server. */
export const startCommand = installation === 'clone' ? 'npm start' : `${ownCommand} start`
