/**
 * Whether the caller ran `botstead`: of the npm package, or `node_modules/.bin/botstead` of a clone.
 * Otherwise the caller ran the script of the clone.
 */
const isInPath =
  import.meta.url.includes('/node_modules/botstead/') ||
  /[\\/]botstead(?:\.cmd)?$/.test(process.argv[1] ?? '')

/** The command of this installation. */
export const ownCommand = isInPath ? 'botstead' : 'npm run botstead --'

/** The command that starts the server. */
export const startCommand = isInPath ? 'botstead start' : 'npm start'
