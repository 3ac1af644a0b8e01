// The same bot as a separate HTTP server, as its author runs it during development.
import bot from './bot.ts'

// Not without the tests.
process.on('disconnect', () => process.exit())
// If the start fails, the process exits with code 1.
void bot
  .start(0)
  .then((server) => process.send!((server.address() as { port: number }).port))
