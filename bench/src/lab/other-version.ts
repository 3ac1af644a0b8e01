// Another version of Botstead, from a folder that the caller names: a built clone, or an
// installation of the package.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Missing } from './programs.ts'

/**
 * In a clone, in an unpacked package, and after `npm install --prefix <folder>`, with `--global`
 * too.
 */
const commands = [
  'packages/cli/dist/bundle/main.js',
  'dist/bundle/main.js',
  'node_modules/botstead/dist/bundle/main.js',
  'lib/node_modules/botstead/dist/bundle/main.js',
  'packages/cli/dist/main.js',
  'dist/main.js',
  'node_modules/botstead/dist/main.js',
  'lib/node_modules/botstead/dist/main.js',
]

/** Returns the program of the command line. Throws Missing. */
export function toCommand(folder: string): string {
  const found = commands
    .map((path) => join(folder, path))
    .find((file) => existsSync(file))
  if (!found)
    throw new Missing(
      `${folder} has no built version of Botstead: run "npm install && npm run build" there`,
    )
  return found
}
