/** The command line of this installation: of the npm package, or of a clone of the repository. */
export const ownCommand = import.meta.url.includes('/node_modules/botstead/')
  ? 'botstead'
  : 'npm run botstead --'

/** The command that starts the server. */
export const startCommand = ownCommand === 'botstead' ? 'botstead start' : 'npm start'
